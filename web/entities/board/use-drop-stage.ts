import { dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { type RefObject, useEffect, useState } from 'react'
import { INCOMING, isAt, type Stage } from '../../data/pipelines.ts'
import { leadOf } from './use-drag-leads.ts'

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
