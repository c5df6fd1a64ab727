import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'
import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { VisuallyHidden } from '@mantine/core'
import { IconGripVertical } from '@tabler/icons-react'
import { type KeyboardEvent, memo, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isSame } from '../forms/rebased.ts'
import { useStable } from '../forms/use-stable.ts'
import classes from './sortable-list.module.css'

interface SortableListProps<Item> {
  label: string
  items: Item[]
  onMove: (from: number, to: number) => void
  /** A long list needs a function that stays the same, so that a change renders one row. */
  children: (item: Item, at: number) => ReactNode
}

/** A list that people order by drag and drop or with the arrow keys. */
export function SortableList<Item extends { id: number; name: string }>(props: SortableListProps<Item>) {
  const { label, items, onMove, children } = props
  const { t } = useTranslation()
  const list = useId()
  const [announcement, announce] = useState('')
  const move = useStable((from: number, to: number) => {
    const item = items[from]
    if (!item || to < 0 || to >= items.length || from === to) return
    onMove(from, to)
    announce(t('sorting.moved', { name: item.name, place: to + 1, count: items.length }))
  })
  return (
    <>
      <ul className={classes.list} aria-label={label}>
        {items.map((item, at) => (
          <Row key={item.id} list={list} at={at} item={item} onMove={move}>
            {children}
          </Row>
        ))}
      </ul>
      <VisuallyHidden role="status">{announcement}</VisuallyHidden>
    </>
  )
}

interface RowProps<Item> extends Pick<SortableListProps<Item>, 'onMove' | 'children'> {
  list: string
  at: number
  item: Item
}

type Edge = 'before' | 'after'
const steps: Record<string, -1 | 1 | undefined> = { ArrowUp: -1, ArrowDown: 1 }

/** A form copies all of its values with each change. */
const Row = memo(
  SortableRow,
  (before, after) =>
    before.children === after.children &&
    before.at === after.at &&
    before.onMove === after.onMove &&
    isSame(before.item, after.item),
) as typeof SortableRow

function SortableRow<Item extends { name: string }>({ list, at, item, onMove, children }: RowProps<Item>) {
  const { t } = useTranslation()
  const { row, handle, edge } = useSorting(list, at, onMove)
  const isMoved = useRef(false)
  // A moved row loses the focus.
  useEffect(() => {
    if (isMoved.current && at >= 0) handle.current?.focus()
    isMoved.current = false
  }, [at, handle])
  const onKeyDown = (event: KeyboardEvent) => {
    const by = steps[event.key]
    if (!by) return
    event.preventDefault()
    isMoved.current = true
    onMove(at, at + by)
  }
  return (
    <li ref={row} className={classes.row} data-edge={edge}>
      <button
        ref={handle}
        type="button"
        className={classes.handle}
        aria-label={t('sorting.handle', { name: item.name })}
        onKeyDown={onKeyDown}
      >
        <IconGripVertical size={16} stroke={1.7} aria-hidden />
      </button>
      {children(item, at)}
    </li>
  )
}

function useSorting(list: string, at: number, onMove: RowProps<unknown>['onMove']) {
  const row = useRef<HTMLLIElement>(null)
  const handle = useRef<HTMLButtonElement>(null)
  const [edge, setEdge] = useState<Edge>()
  useEffect(() => {
    const element = row.current
    const dragHandle = handle.current
    if (!element || !dragHandle) return
    return combine(
      draggable({ element, dragHandle, getInitialData: () => ({ list, at }) }),
      dropTargetForElements({
        element,
        canDrop: ({ source }) => source.data.list === list,
        onDrag: ({ location, source }) =>
          setEdge(edgeOf(element, location.current.input.clientY, at - Number(source.data.at))),
        onDragLeave: () => setEdge(undefined),
        onDrop: ({ source, location }) => {
          setEdge(undefined)
          const from = Number(source.data.at)
          const side = edgeOf(element, location.current.input.clientY, at - from)
          if (side) onMove(from, at + (side === 'after' ? 1 : 0) - (from < at ? 1 : 0))
        },
      }),
    )
  }, [list, at, onMove])
  return { row, handle, edge }
}

/** Returns the edge at which a row would be dropped, or undefined if it would not move. */
function edgeOf(element: HTMLElement, y: number, away: number): Edge | undefined {
  const { top, height } = element.getBoundingClientRect()
  const edge = y < top + height / 2 ? 'before' : 'after'
  const stays = away === 0 || (away === 1 && edge === 'before') || (away === -1 && edge === 'after')
  return stays ? undefined : edge
}
