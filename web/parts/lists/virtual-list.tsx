import { useMediaQuery } from '@mantine/hooks'
import { defaultRangeExtractor, useVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import {
  type CSSProperties,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useRef,
} from 'react'
import { type ListColumn, type Order, ROW, TALL_ROW } from './list-column.ts'
import { ListHeader } from './list-header.tsx'
import { ListRow, WaitingRow } from './list-row.tsx'
import { LoadMore } from './load-more.tsx'
import type { Selection } from './selection.ts'
import { useActiveRow } from './use-active-row.ts'
import { useRowKeys } from './use-row-keys.ts'
import { useStill } from './use-still.ts'
import classes from './virtual-list.module.css'

/** A paginated list. */
export interface Paging {
  hasNextPage: boolean
  isFetchingNextPage: boolean
  isFetchNextPageError: boolean
  fetchNextPage: () => unknown
}

export interface VirtualListProps<Row extends { id: number }> {
  label: string
  /** The first column has the row's link, with `data-row-link`. */
  columns: ListColumn<Row>[]
  rows: Row[]
  /** Names the list that the rows are of. Undefined while they are still those of another one. */
  of: string | undefined
  /** The number of records; undefined while unknown. */
  total: number | undefined
  paging: Paging
  /** The second line of a row on narrow screens. */
  details: (row: Row) => ReactNode
  selection?: Selection
  order?: Order
  onOrder?: (order: Order) => void
}

/** Rows that are loaded ahead, and rows rendered outside the visible area. */
const AHEAD = 60
const OVERSCAN = 8

/**
 * A virtual list with the grid role. Arrow keys move between rows, Enter opens a row, x or Space selects it, and
 * Shift selects the rows between.
 */
export function VirtualList<Row extends { id: number }>(props: VirtualListProps<Row>) {
  const { label, columns, rows, total, paging, selection, onOrder } = props
  const isNarrow = useMediaQuery('(max-width: 640px)', false, { getInitialValueInEffect: false })
  const scroller = useRef<HTMLDivElement>(null)
  // A click that closes a menu or a filter does nothing else.
  const closesPopup = useRef(false)
  const { active, setActive } = useActiveRow(rows)
  const count = lengthOf(rows.length, total, paging.hasNextPage)
  const virtualizer = useRowsInSight(scroller, { count, active, isNarrow })
  useStill({ virtual: virtualizer, rows, keyOf: ({ id }) => id, of: props.of })
  useReadAhead(virtualizer, rows.length, paging)
  const choose = useChoose(rows, selection)
  // Another order is seen from its beginning.
  const order = (chosen: Order) => {
    scroller.current?.scrollTo({ top: 0 })
    onOrder?.(chosen)
  }
  const onKeyDown = useRowKeys({ scroller, virtualizer, active, setActive, count: rows.length, choose })
  return (
    <div
      ref={scroller}
      className={classes.scroll}
      data-narrow={isNarrow || undefined}
      data-scroll-restoration-id={`list-${label}`}
      style={shapeOf(columns, selection)}
    >
      {/* A table element with the grid role; the rows are positioned by the scroll offset. */}
      <table
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: an ARIA grid is also made of a table.
        role="grid"
        aria-label={label}
        aria-rowcount={(total ?? rows.length) + 1}
        aria-multiselectable={selection !== undefined || undefined}
        aria-busy={paging.isFetchingNextPage || undefined}
        className={classes.grid}
        onKeyDown={onKeyDown}
        onPointerDown={() => {
          closesPopup.current = document.querySelector('[aria-haspopup][aria-expanded="true"]') !== null
        }}
        onClick={(event) => {
          if (!closesPopup.current) openRow(event)
        }}
      >
        <ListHeader {...props} onOrder={onOrder && order} isNarrow={isNarrow} />
        <Rows {...props} {...{ isNarrow, virtualizer, active }} onActive={setActive} onChoose={choose} />
      </table>
      {paging.isFetchNextPageError && (
        <div className={classes.refused}>
          <LoadMore query={paging} />
        </div>
      )}
    </div>
  )
}

type Scroller = Virtualizer<HTMLDivElement, Element>

interface RowsProps<Row extends { id: number }> extends VirtualListProps<Row> {
  isNarrow: boolean
  virtualizer: Scroller
  active: number
  onActive: (index: number) => void
  onChoose: (index: number, isRange: boolean) => void
}

function Rows<Row extends { id: number }>(props: RowsProps<Row>) {
  const { columns, rows, details, selection, isNarrow, virtualizer, active, onActive, onChoose } = props
  const height = { '--pb-height': `${virtualizer.getTotalSize()}px` } as CSSProperties
  return (
    <tbody className={classes.rows} style={height}>
      {virtualizer.getVirtualItems().map(({ index, start }) => {
        const row = rows[index]
        if (!row) return <WaitingRow key={`w${index}`} index={index} start={start} />
        return (
          <ListRow
            key={row.id}
            {...{ row, index, start, columns, onActive, onChoose }}
            details={isNarrow ? details : undefined}
            isActive={index === active}
            isChosen={selection?.has(row.id)}
          />
        )
      })}
    </tbody>
  )
}

/** Renders the visible rows, some around them, and the focused one. */
function useRowsInSight(
  scroller: RefObject<HTMLDivElement | null>,
  { count, active, isNarrow }: { count: number; active: number; isNarrow: boolean },
): Scroller {
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => (isNarrow ? TALL_ROW : ROW),
    overscan: OVERSCAN,
    // A late frame is better than one that blocks the next ones.
    useFlushSync: false,
    rangeExtractor: (range) => {
      const shown = defaultRangeExtractor(range)
      return active >= range.count || shown.includes(active)
        ? shown
        : [...shown, active].sort((a, b) => a - b)
    },
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height of rows changes with isNarrow.
  useEffect(() => virtualizer.measure(), [isNarrow, virtualizer])
  return virtualizer
}

/** A click anywhere in a row follows its link, except on other controls and while text is selected. */
function openRow({ target, ctrlKey, metaKey, shiftKey }: MouseEvent): void {
  if (!(target instanceof Element) || target.closest('a, button, input, label, th')) return
  if (window.getSelection()?.toString()) return
  const link = target.closest('[data-index]')?.querySelector('[data-row-link]')
  const how = { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey }
  link?.dispatchEvent(new window.MouseEvent('click', how))
}

/** Reserves space for rows that are not loaded, so that the scroll bar is right. */
function lengthOf(read: number, total: number | undefined, hasMore: boolean): number {
  return hasMore ? Math.max(read + 1, total ?? 0) : read
}

function shapeOf<Row>(columns: ListColumn<Row>[], selection: Selection | undefined): CSSProperties {
  const widths = columns.map(({ width, share }) => (share ? `minmax(${width}px, ${share}fr)` : `${width}px`))
  const least = columns.reduce((sum, { width }) => sum + width, 36)
  return {
    '--pb-choice': selection ? '36px' : '12px',
    '--pb-columns': widths.join(' '),
    '--pb-least': `${least}px`,
  } as CSSProperties
}

function useReadAhead(
  { range }: Scroller,
  read: number,
  { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage }: Paging,
): void {
  const last = range?.endIndex ?? 0
  const isWanted = hasNextPage && !isFetchingNextPage && !isFetchNextPageError && last + AHEAD > read
  useEffect(() => {
    if (isWanted) fetchNextPage()
  }, [isWanted, fetchNextPage])
}

/** Returns a stable function that selects a row, or all rows from the last selected one. */
function useChoose<Row extends { id: number }>(rows: Row[], selection: Selection | undefined) {
  const anchor = useRef<number>(undefined)
  const now = useRef({ rows, selection })
  useEffect(() => {
    now.current = { rows, selection }
  })
  return useCallback((index: number, isRange: boolean) => {
    const { rows, selection } = now.current
    const id = rows[index]?.id
    if (id === undefined) return
    const from = anchor.current === undefined ? 0 : rows.findIndex((row) => row.id === anchor.current)
    if (isRange) selection?.addRange(from < 0 ? index : from, index)
    else selection?.toggle(id)
    anchor.current = id
  }, [])
}
