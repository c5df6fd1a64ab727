import {
  IconActivity,
  IconArrowUpRight,
  IconBolt,
  IconClipboardList,
  IconPlayerPlay,
  IconSend,
  IconShieldCheck,
} from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useColleagueName } from '../data/colleagues.ts'
import { useIntegrationNames } from '../data/integration-names.ts'
import { collectionOf } from '../data/live-events.ts'
import type { TraceNode } from '../data/traces.ts'
import { EventRecord } from '../events/event-record.tsx'
import { useGoneName } from '../events/event-value.tsx'
import { Status, type Tone } from '../parts/layout/status.tsx'
import { RecordLink } from '../parts/records/record-link.tsx'
import { useFormat } from '../parts/texts/format.ts'
import { StatusCode } from '../request-log/status-code.tsx'
import { useAttemptText } from '../webhooks/use-attempt-text.ts'
import { NodeLink } from './node-link.tsx'
import classes from './trace.module.css'
import { useNodeTitle } from './use-node-title.ts'
import { useSpan } from './use-span.ts'

const icons = {
  request: IconPlayerPlay,
  event: IconActivity,
  audit: IconShieldCheck,
  job: IconClipboardList,
  run: IconBolt,
  announcement: IconSend,
  delivery: IconSend,
  attempt: IconArrowUpRight,
}

const tones: Record<TraceNode['outcome'], Tone> = {
  done: 'good',
  waiting: 'off',
  skipped: 'off',
  failed: 'danger',
}

/** A node in one line: when it happened, what it is, what became of it, and how long it took. */
export function TraceRow({ node, began, isAsked }: { node: TraceNode; began: number; isAsked: boolean }) {
  const title = useNodeTitle()(node)
  const span = useSpan()
  const format = useFormat()
  const { kind, at } = node
  const Icon = icons[kind]
  return (
    <div className={classes.row} data-kind={kind} aria-current={isAsked || undefined}>
      <span className={classes.icon} data-outcome={node.outcome}>
        <Icon size={15} stroke={1.7} aria-hidden />
      </span>
      <span className={classes.what}>
        <span className={classes.title}>
          <NodeLink node={node}>{kind === 'request' ? <code>{title}</code> : title}</NodeLink>
        </span>
        <Details node={node} />
      </span>
      <span className={classes.outcome}>
        <Outcome node={node} />
      </span>
      <span className={classes.took}>{hasDuration(node) && span(node.duration_ms ?? 0)}</span>
      <time className={classes.since} dateTime={new Date(at).toISOString()} title={format.exact(at / 1000)}>
        <Since node={node} began={began} />
      </time>
    </div>
  )
}

const SECOND = 1_000

/** A node whose time is known only to the second has no duration below one. */
const hasDuration = ({ duration_ms, is_exact }: TraceNode): boolean =>
  duration_ms !== null && (is_exact || duration_ms >= SECOND)

/** The time since the request began. A node whose time is known only to the second has none within the first second. */
function Since({ node: { at, is_exact, parent_id }, began }: { node: TraceNode; began: number }) {
  const { t } = useTranslation()
  const span = useSpan()
  const format = useFormat()
  if (parent_id === null) return format.clock(at / 1000)
  if (!is_exact && at - began < SECOND)
    return <span title={t('traces.in_second')}>{`< ${span(SECOND)}`}</span>
  return span(Math.max(0, at - began), true)
}

function Outcome({ node: { kind, outcome, status, error } }: { node: TraceNode }) {
  const { t } = useTranslation()
  const text = useAttemptText()
  if (kind === 'request') return status !== null && <StatusCode status={status} />
  if (kind === 'attempt') return <Status tone={tones[outcome]}>{text(status, error)}</Status>
  if (kind === 'event' || kind === 'audit') return null
  return <Status tone={tones[outcome]}>{t(`traces.outcome.${outcome}`)}</Status>
}

/** The record, the address, the person and the integration, as far as there are any. */
function Details({ node }: { node: TraceNode }) {
  const { t, i18n } = useTranslation()
  const format = useFormat()
  const nameOf = useColleagueName()
  const integrations = useIntegrationNames()
  const { kind, address, user_id, integration_id, rows, error } = node
  const person = user_id ? nameOf(user_id) : undefined
  const reason = `automation.reason.${error}`
  const parts = [
    integration_id && (integrations.get(integration_id) ?? integration_id),
    kind !== 'event' && person && t('traces.by', { name: person }),
    rows &&
      t('traces.rows', {
        count: rows.total,
        done: format.number(rows.done),
        number: format.number(rows.total),
      }),
    rows && rows.failed > 0 && t('traces.rows_refused', { number: format.number(rows.failed) }),
    kind === 'request' && error,
    kind === 'run' && error && (i18n.exists(reason) ? t(reason as 'automation.reason.left') : error),
  ].filter(Boolean)
  return (
    <span className={classes.details}>
      {node.record && <RecordOf record={node.record} />}
      {kind === 'delivery' && address && <code title={address}>{address}</code>}
      {parts.join(' · ')}
    </span>
  )
}

/** The record, as a link to its card. */
function RecordOf({ record: { entity_type, id, name } }: { record: NonNullable<TraceNode['record']> }) {
  const gone = useGoneName()
  const collection = collectionOf(entity_type)
  if (entity_type === 'task')
    return (
      <EventRecord
        event={{
          entity_type,
          entity_id: id,
          _embedded: { entity: { id, _links: { self: { href: '' } } } },
        }}
      />
    )
  if (!collection || name === null) return <span>{gone(entity_type, id)}</span>
  return (
    <RecordLink collection={collection} id={id}>
      {name || gone(entity_type, id)}
    </RecordLink>
  )
}
