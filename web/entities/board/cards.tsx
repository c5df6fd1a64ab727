import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import { type CSSProperties, useCallback, useEffect, useLayoutEffect, useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { Stage } from '../../data/pipelines.ts'
import type { AnyRecord } from '../../data/records.ts'
import { LoadMore } from '../../parts/lists/load-more.tsx'
import { useStill } from '../../parts/lists/use-still.ts'
import { useBoard } from './board-context.ts'
import classes from './column.module.css'
import { heightOf, LeadCard } from './lead-card.tsx'

/** Cards rendered outside the visible area, and the distance from the end at which the next page loads. */
const OVERSCAN = 6
const AHEAD = 30
/** Heights of the loading placeholders. */
const WAITING = [60, 82, 61]

interface Paged {
  isPending: boolean
  hasNextPage: boolean
  isFetchingNextPage: boolean
  isFetchNextPageError: boolean
  fetchNextPage: () => unknown
}

/** The leads of a column. Only visible cards are rendered. */
export function Cards({ stage, leads, query }: { stage: Stage; leads: AnyRecord[]; query: Paged }) {
  const { t } = useTranslation()
  const { tomorrow } = useBoard()
  const slots = useMemo(
    () => leads.map((lead) => ({ id: lead.id, height: heightOf(lead, tomorrow) })),
    [leads, tomorrow],
  )
  const scroller = useRef<HTMLDivElement>(null)
  const virtualizer = useVirtualizer({
    count: leads.length,
    getScrollElement: () => scroller.current,
    getItemKey: useCallback((i: number) => slots[i]?.id ?? i, [slots]),
    estimateSize: (i) => slots[i]?.height ?? 0,
    overscan: OVERSCAN,
    paddingEnd: 16,
  })
  useStill({ virtual: virtualizer, rows: leads, keyOf: ({ id }) => id })
  useNextPage(virtualizer, leads.length, query)
  useFocus(virtualizer, leads)
  if (query.isPending && leads.length === 0) return <Placeholders />
  return (
    <div ref={scroller} className={classes.scroll} data-cards>
      {leads.length === 0 && <p className={classes.none}>{t('board.none')}</p>}
      {leads.length > 0 && (
        <ul
          className={classes.cards}
          aria-label={t('board.leads_in', { stage: stage.name })}
          style={{ '--pb-height': `${virtualizer.getTotalSize()}px` } as CSSProperties}
        >
          {virtualizer.getVirtualItems().map(({ index, key, start }) => (
            <li
              key={key}
              className={classes.slot}
              style={{ '--pb-start': `${start}px` } as CSSProperties}
              data-index={index}
              aria-setsize={query.hasNextPage ? -1 : leads.length}
              aria-posinset={index + 1}
            >
              <BoardCard lead={leads[index] as AnyRecord} />
            </li>
          ))}
        </ul>
      )}
      {query.isFetchNextPageError && <LoadMore query={query} />}
    </div>
  )
}

function BoardCard({ lead }: { lead: AnyRecord }) {
  const { nameOf, currency, now, tomorrow, canEdit, menuOf, onMenu } = useBoard()
  return (
    <LeadCard
      lead={lead}
      owner={nameOf(lead.responsible_user_id ?? 0)}
      currency={currency}
      now={now}
      tomorrow={tomorrow}
      canMove={canEdit(lead)}
      isMenuOpen={menuOf === lead.id}
      onMenu={onMenu}
    />
  )
}

function Placeholders() {
  const { t } = useTranslation()
  return (
    <div className={classes.scroll} role="status" aria-label={t('app.loading')}>
      {WAITING.map((height) => (
        <div
          key={height}
          className={classes.waiting}
          style={{ '--pb-height': `${height}px` } as CSSProperties}
        />
      ))}
    </div>
  )
}

type List = Virtualizer<HTMLDivElement, Element>

/** Loads the next page before the end is visible. */
function useNextPage(virtualizer: List, count: number, query: Paged): void {
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query
  const last = virtualizer.getVirtualItems().at(-1)?.index ?? 0
  const isWanted = last >= count - AHEAD && hasNextPage && !isFetchingNextPage && !isFetchNextPageError
  useEffect(() => {
    if (isWanted) fetchNextPage()
  }, [isWanted, fetchNextPage])
}

/** Focuses a lead that the keyboard moved, at once because the next key may follow soon. */
function useFocus(virtualizer: List, leads: AnyRecord[]): void {
  const { focused, onFocused } = useBoard()
  const at = focused === undefined ? -1 : leads.findIndex(({ id }) => id === focused)
  useLayoutEffect(() => {
    if (at < 0) return
    const link = virtualizer.scrollElement?.querySelector<HTMLElement>(`[data-lead="${focused}"] a`)
    // The card is not rendered yet; this runs again after scrolling.
    if (!link) return virtualizer.scrollToIndex(at)
    link.focus()
    onFocused()
  })
}
