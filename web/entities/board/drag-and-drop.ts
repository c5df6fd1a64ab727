import {
  draggable,
  dropTargetForElements,
  monitorForElements,
} from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { INCOMING, isAt, type Stage, type StagePlace } from '../../data/pipelines.ts'
import type { AnyRecord } from '../../data/records.ts'

/** The dragged lead, and the stage below it. */
const leadOf = (data: Record<string | symbol, unknown>) => data.lead as AnyRecord | undefined
const placeOf = (data: Record<string | symbol, unknown>) => data.place as StagePlace | undefined

/** Makes the card of a lead draggable. Returns the reference of the card, and whether it is dragged. */
export function useDraggable(lead: AnyRecord, canMove: boolean) {
  const ref = useRef<HTMLElement>(null)
  const dragged = useRef(lead)
  dragged.current = lead
  const [isDragged, setDragged] = useState(false)
  useEffect(() => {
    if (!ref.current || !canMove) return
    return draggable({
      element: ref.current,
      getInitialData: () => ({ lead: dragged.current }),
      onDragStart: () => setDragged(true),
      onDrop: () => setDragged(false),
    })
  }, [canMove])
  return { ref, isDragged }
}

/** Accepts leads of other stages that are dropped on an element. Returns whether one is over it. */
export function useDropStage(ref: RefObject<HTMLElement | null>, { id, pipeline_id, type }: Stage): boolean {
  const [isOver, setOver] = useState(false)
  useEffect(() => {
    if (!ref.current || type === INCOMING) return
    const place = { pipeline_id, status_id: id }
    return dropTargetForElements({
      element: ref.current,
      getData: () => ({ place }),
      canDrop: ({ source }) => {
        const lead = leadOf(source.data)
        return lead !== undefined && !isAt(lead, place)
      },
      onDragEnter: () => setOver(true),
      onDragLeave: () => setOver(false),
      onDrop: () => setOver(false),
    })
  }, [ref, id, pipeline_id, type])
  return isOver
}

/** Pixels from an edge that start scrolling, and the maximum scroll per frame. */
const EDGE = 72
const FASTEST = 20

/** Handles leads that are dropped on stages, and scrolls near the edges. */
export function useDragLeads(
  board: RefObject<HTMLElement | null>,
  onMove: (lead: AnyRecord, to: StagePlace) => void,
) {
  const move = useRef(onMove)
  move.current = onMove
  useEffect(() => {
    let pointer = { x: 0, y: 0 }
    let frame = 0
    const step = () => {
      if (board.current) scrollAt(board.current, pointer)
      frame = requestAnimationFrame(step)
    }
    const stop = monitorForElements({
      canMonitor: ({ source }) => leadOf(source.data) !== undefined,
      onDragStart: () => {
        frame = requestAnimationFrame(step)
      },
      onDrag: ({ location: { current } }) => {
        pointer = { x: current.input.clientX, y: current.input.clientY }
      },
      onDrop: ({ source, location }) => {
        cancelAnimationFrame(frame)
        const lead = leadOf(source.data)
        const target = location.current.dropTargets[0]
        const place = target && placeOf(target.data)
        if (lead && place) move.current(lead, place)
      },
    })
    return () => {
      cancelAnimationFrame(frame)
      stop()
    }
  }, [board])
}

function scrollAt(board: HTMLElement, { x, y }: { x: number; y: number }): void {
  if (x === 0 && y === 0) return
  const box = board.getBoundingClientRect()
  board.scrollLeft += speed(x - box.left, box.right - x)
  const column = document.elementFromPoint(x, y)?.closest('[data-column]')?.querySelector('[data-cards]')
  if (!column) return
  const { top, bottom } = column.getBoundingClientRect()
  column.scrollTop += speed(y - top, bottom - y)
}

/** Scrolls faster near the edge. */
function speed(fromStart: number, fromEnd: number): number {
  const near = (distance: number) => FASTEST * (1 - Math.max(0, distance) / EDGE)
  if (fromStart < EDGE && fromStart <= fromEnd) return -near(fromStart)
  return fromEnd < EDGE ? near(fromEnd) : 0
}
