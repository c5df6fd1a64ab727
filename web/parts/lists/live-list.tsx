import { Button } from '@mantine/core'
import { IconArrowUp } from '@tabler/icons-react'
import { useVirtualizer, type VirtualItem } from '@tanstack/react-virtual'
import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { useFormat } from '../texts/format.ts'
import classes from './live-list.module.css'
import { LoadMore } from './load-more.tsx'
import { NEAR_TOP, useStill } from './use-still.ts'

interface Pages<Item> {
  rows: Item[]
}

export interface LiveQuery {
  hasNextPage: boolean
  isFetching: boolean
  isFetchingNextPage: boolean
  isFetchNextPageError: boolean
  isError: boolean
  fetchNextPage: () => unknown
}

interface LiveListProps<Item> {
  label: string
  query: LiveQuery
  /** The newest items first. New items are added to the first page. */
  pages: Pages<Item>[]
  keyOf: (item: Item) => string
  /** In Unix seconds. */
  timeOf: (item: Item) => number
  /** Shown after the last item. */
  end: string
  /** Names the items that arrived above the visible ones. */
  newer: (count: number) => string
  /** Items can be expanded: the visible ones stay in place even if the list is at its top. */
  isExpanded?: boolean
  /** An item. Its focusable element has `data-log-row`. */
  children: (item: Item) => ReactNode
}

/** An item, or the heading of a day. */
type Row<Item> = { key: string; day: number } | { key: string; item: Item }

/** Rows before the end at which the next page loads. */
const AHEAD = 30

/** A log by day. Only visible rows are rendered, and new items do not move the visible ones. */
export function LiveList<Item>(props: LiveListProps<Item>) {
  const { label, query, pages, keyOf, timeOf, isExpanded = false, children } = props
  const scroll = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the functions depend on the item only.
  const rows = useMemo(() => rowsOf(pages, keyOf, timeOf), [pages])
  const isAtTop = (scroll.current?.scrollTop ?? 0) <= NEAR_TOP
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => 36,
    getItemKey: (at) => rows[at]?.key ?? at,
    overscan: 12,
  })
  // Day headings stay first of their day, so an item is the anchor.
  useStill({
    virtual,
    rows,
    keyOf: (row) => ('item' in row ? row.key : undefined),
    isHeldAtTop: isExpanded,
  })
  const items = virtual.getVirtualItems()
  useNextPage(query, (items.at(-1)?.index ?? 0) >= rows.length - AHEAD)
  const above = useNewAbove(pages, keyOf, isAtTop)
  return (
    <div className={classes.list}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the rows in it are what has the focus */}
      <div
        ref={scroll}
        className={classes.scroll}
        onKeyDown={(event) => moveFocus(event)}
        onScroll={above.onScroll}
      >
        <ol aria-label={label} className={classes.rows} style={{ height: virtual.getTotalSize() }}>
          {items.map((item) => (
            <Placed key={item.key} item={item} measure={virtual.measureElement}>
              <RowOf row={rows[item.index]}>{children}</RowOf>
            </Placed>
          ))}
        </ol>
        {!query.hasNextPage && <p className={classes.end}>{props.end}</p>}
        {query.isFetchNextPageError && <LoadMore query={query} />}
      </div>
      {above.count > 0 && (
        <Button
          className={classes.newer}
          size="xs"
          leftSection={<IconArrowUp size={14} aria-hidden />}
          onClick={() => virtual.scrollToOffset(0)}
        >
          <span aria-live="polite">{props.newer(above.count)}</span>
        </Button>
      )}
    </div>
  )
}

interface PlacedProps {
  item: VirtualItem
  measure: (node: HTMLElement | null) => void
  children: ReactNode
}

const Placed = ({ item, measure, children }: PlacedProps) => (
  <li
    ref={measure}
    data-index={item.index}
    className={classes.placed}
    style={{ transform: `translateY(${item.start}px)` }}
  >
    {children}
  </li>
)

interface RowOfProps<Item> {
  row: Row<Item> | undefined
  children: (item: Item) => ReactNode
}

function RowOf<Item>({ row, children }: RowOfProps<Item>) {
  const format = useFormat()
  if (!row) return null
  if ('day' in row) return <h2 className={classes.day}>{format.day(row.day)}</h2>
  return children(row.item)
}

const dayOf = (at: number) => new Date(at * 1000).toDateString()

function rowsOf<Item>(
  pages: Pages<Item>[],
  keyOf: (item: Item) => string,
  timeOf: (item: Item) => number,
): Row<Item>[] {
  const rows: Row<Item>[] = []
  let day: string | undefined
  for (const item of pages.flatMap((page) => page.rows)) {
    const its = dayOf(timeOf(item))
    if (its !== day) rows.push({ key: its, day: timeOf(item) })
    day = its
    rows.push({ key: keyOf(item), item })
  }
  return rows
}

function useNextPage(query: LiveQuery, isNear: boolean): void {
  const { hasNextPage, isFetching, isError, fetchNextPage } = query
  const isWanted = isNear && hasNextPage && !isFetching && !isError
  useEffect(() => {
    if (isWanted) fetchNextPage()
  }, [isWanted, fetchNextPage])
}

/** Counts the items that arrived since the list was at the top. */
function useNewAbove<Item>(pages: Pages<Item>[], keyOf: (item: Item) => string, isAtTop: boolean) {
  const newest = newestOf(pages, keyOf)
  const [seen, setSeen] = useState(newest)
  if (isAtTop && seen !== newest) setSeen(newest)
  const count = isAtTop ? 0 : Math.max(0, pages[0]?.rows.findIndex((item) => keyOf(item) === seen) ?? 0)
  const onScroll = ({ currentTarget }: { currentTarget: HTMLElement }) => {
    if (currentTarget.scrollTop <= NEAR_TOP) setSeen(newest)
  }
  return { count, onScroll }
}

function newestOf<Item>([first]: Pages<Item>[], keyOf: (item: Item) => string): string {
  const newest = first?.rows[0]
  return newest === undefined ? '' : keyOf(newest)
}

/** Arrow keys move between rows, scrolling if necessary. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  const target = event.target as HTMLElement
  if (!by || !target.matches('[data-log-row]')) return
  event.preventDefault()
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-log-row]')]
  rows[rows.indexOf(target) + by]?.focus()
}
