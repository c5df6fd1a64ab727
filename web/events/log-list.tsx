import { Button } from '@mantine/core'
import { IconArrowUp } from '@tabler/icons-react'
import { useVirtualizer, type VirtualItem, type Virtualizer } from '@tanstack/react-virtual'
import {
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useTranslation } from 'react-i18next'
import type { Page } from '../api/lists.ts'
import type { LogEvent } from '../data/events.ts'
import { useFormat } from '../parts/format.ts'
import classes from './log.module.css'
import { LogRow } from './log-row.tsx'

interface LogListProps {
  query: { hasNextPage: boolean; isFetching: boolean; isError: boolean; fetchNextPage: () => unknown }
  pages: Page<LogEvent>[]
}

/** An event, or the heading of a day. */
type Row = { key: string; day: number; event?: undefined } | { key: string; event: LogEvent }

/** Rows before the end at which the next page loads. */
const AHEAD = 30
/** Pixels from the top that still count as the top. */
const NEAR = 4

/** The log by day. Only visible rows are rendered, and new events do not move the visible ones. */
export function LogList({ query, pages }: LogListProps) {
  const { t } = useTranslation()
  const scroll = useRef<HTMLDivElement>(null)
  const rows = useMemo(() => rowsOf(pages), [pages])
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const isAtTop = (scroll.current?.scrollTop ?? 0) <= NEAR
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => 36,
    getItemKey: (at) => rows[at]?.key ?? at,
    overscan: 12,
  })
  useStill(virtual, rows, isAtTop && open.size === 0)
  const items = virtual.getVirtualItems()
  useNextPage(query, (items.at(-1)?.index ?? 0) >= rows.length - AHEAD)
  const above = useNewAbove(pages, isAtTop)
  const toggle = (id: string) => setOpen((now) => toggled(now, id))
  return (
    <div className={classes.list}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the rows in it are what has the focus */}
      <div
        ref={scroll}
        className={classes.scroll}
        onKeyDown={(event) => moveFocus(event)}
        onScroll={above.onScroll}
      >
        <ol aria-label={t('events.list')} className={classes.rows} style={{ height: virtual.getTotalSize() }}>
          {items.map((item) => (
            <Placed key={item.key} item={item} measure={virtual.measureElement}>
              <RowOf row={rows[item.index]} open={open} onToggle={toggle} />
            </Placed>
          ))}
        </ol>
        {!query.hasNextPage && <p className={classes.end}>{t('events.end')}</p>}
      </div>
      {above.count > 0 && (
        <Button
          className={classes.newer}
          size="xs"
          leftSection={<IconArrowUp size={14} aria-hidden />}
          onClick={() => virtual.scrollToOffset(0)}
        >
          <span aria-live="polite">{t('events.live.new', { count: above.count })}</span>
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

interface RowOfProps {
  row: Row | undefined
  open: ReadonlySet<string>
  onToggle: (id: string) => void
}

function RowOf({ row, open, onToggle }: RowOfProps) {
  const format = useFormat()
  if (!row) return null
  if (!row.event) return <h2 className={classes.day}>{format.day(row.day)}</h2>
  return <LogRow event={row.event} isOpen={open.has(row.event.id)} onToggle={onToggle} />
}

const dayOf = (at: number) => new Date(at * 1000).toDateString()

function rowsOf(pages: Page<LogEvent>[]): Row[] {
  const rows: Row[] = []
  let day: string | undefined
  for (const event of pages.flatMap(({ rows }) => rows)) {
    const its = dayOf(event.created_at)
    if (its !== day) rows.push({ key: its, day: event.created_at })
    day = its
    rows.push({ key: event.id, event })
  }
  return rows
}

function toggled(all: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(all)
  if (!next.delete(id)) next.add(id)
  return next
}

/** Keeps visible rows in place when events arrive above them, unless the list is at the top. */
function useStill(virtual: Virtualizer<HTMLDivElement, Element>, rows: Row[], isFree: boolean): void {
  const starts = useRef<Map<string, number>>(new Map())
  const before = useRef(rows)
  useLayoutEffect(() => {
    const { scrollElement: box } = virtual
    if (box && before.current !== rows && !isFree) {
      // Day headings stay first of their day, so a row is the anchor.
      const at = rows.findIndex(({ key, event }) => event && (starts.current.get(key) ?? -1) >= box.scrollTop)
      const was = starts.current.get(rows[at]?.key ?? '')
      const is = virtual.measurementsCache[at]?.start
      if (was !== undefined && is !== undefined && is !== was) box.scrollTop += is - was
    }
    before.current = rows
    starts.current = new Map(virtual.getVirtualItems().map(({ key, start }) => [String(key), start]))
  })
}

function useNextPage(query: LogListProps['query'], isNear: boolean): void {
  const { hasNextPage, isFetching, isError, fetchNextPage } = query
  const isWanted = isNear && hasNextPage && !isFetching && !isError
  useEffect(() => {
    if (isWanted) fetchNextPage()
  }, [isWanted, fetchNextPage])
}

/** Counts the events that arrived since the list was at the top. */
function useNewAbove(pages: Page<LogEvent>[], isAtTop: boolean) {
  const newest = pages[0]?.rows[0]?.id ?? ''
  const [seen, setSeen] = useState(newest)
  if (isAtTop && seen !== newest) setSeen(newest)
  const count = isAtTop ? 0 : newerThan(seen, pages)
  const onScroll = ({ currentTarget }: { currentTarget: HTMLElement }) => {
    if (currentTarget.scrollTop <= NEAR) setSeen(newest)
  }
  return { count, onScroll }
}

/** Counts the events on the first page that are newer than the given one. */
function newerThan(seen: string, [first]: Page<LogEvent>[]): number {
  const at = first?.rows.findIndex(({ id }) => id <= seen) ?? 0
  return Math.max(0, at)
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
