import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { type IncomingLead, incomingOptions } from '../../data/incoming-leads.ts'
import type { Stage } from '../../data/pipelines.ts'
import { briefOptions } from '../../data/record-briefs.ts'
import { useFocusNear } from '../../parts/dialogs/use-opener-focus.ts'
import { ProblemCallout } from '../../parts/layout/problem-callout.tsx'
import { LoadMore } from '../../parts/lists/load-more.tsx'
import { IncomingButtons } from '../../parts/records/incoming-buttons.tsx'
import { detailOf } from '../../parts/records/incoming-details.ts'
import { useRecordHint } from '../../parts/records/use-record-hint.ts'
import { useFormat } from '../../parts/texts/format.ts'
import { useBoard } from './board-context.ts'
import card from './card.module.css'
import classes from './column.module.css'
import { useIncomingActions } from './use-incoming-actions.tsx'

/** The incoming leads of the board's pipeline with where they come from, and buttons that accept or decline them. */
export function IncomingCards({ stage, enabled }: { stage: Stage; enabled: boolean }) {
  const { t } = useTranslation()
  const query = useInfiniteQuery({ ...incomingOptions(stage.pipeline_id), enabled })
  const items = query.data?.pages.flatMap(({ rows }) => rows) ?? []
  if (query.error && !query.data)
    return (
      <div className={classes.refused}>
        <ProblemCallout error={query.error} onRetry={() => query.refetch()} />
      </div>
    )
  return (
    <div className={classes.scroll} data-cards>
      {query.data && items.length === 0 && <p className={classes.none}>{t('board.none')}</p>}
      {items.length > 0 && (
        <ul className={classes.incoming} aria-label={t('board.leads_in', { stage: stage.name })}>
          {items.map((item) => (
            <li key={item.uid}>
              <IncomingCard item={item} />
            </li>
          ))}
        </ul>
      )}
      <LoadMore query={query} />
    </div>
  )
}

function IncomingCard({ item }: { item: IncomingLead }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { now } = useBoard()
  const { dialog, ...actions } = useIncomingActions()
  const ref = useRef<HTMLElement>(null)
  useFocusNear(ref)
  const lead_id = item._embedded.leads[0]?.id ?? 0
  const { data: lead } = useQuery(briefOptions('leads', lead_id))
  const contact_id = item._embedded.contacts[0]?.id ?? 0
  const { data: contact } = useQuery({ ...briefOptions('contacts', contact_id), enabled: contact_id !== 0 })
  const name = lead?.name ?? ''
  const category = t(`incoming.category.${item.category}`)
  const detail = detailOf(item)
  const hint = useRecordHint()
  // A contact without a name is called by its telephone number.
  const reached =
    contact && new Set([contact.name, ...hint('contacts', contact).split(' · ')].filter(Boolean))
  const who = [...(reached ?? [])].join(' · ')
  return (
    <article ref={ref} className={card.incoming} data-incoming={lead_id}>
      <div className={card.line}>
        <Link to="/leads/$id" params={{ id: String(lead_id) }} className={card.name} title={name}>
          {name || `#${lead_id}`}
        </Link>
        <span className={card.price}>{format.relative(item.created_at, now)}</span>
      </div>
      <p className={card.who}>{t('incoming.from_source', { category, source: item.source_name })}</p>
      {who && (
        <p className={card.who} title={who}>
          {who}
        </p>
      )}
      {detail && (
        <p className={card.who} title={detail}>
          {detail}
        </p>
      )}
      {lead && <IncomingButtons item={item} name={name} actions={actions} />}
      {dialog}
    </article>
  )
}
