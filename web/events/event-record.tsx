import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { LogEvent } from '../data/events.ts'
import { collectionOf } from '../data/live-events.ts'
import { briefOptions } from '../data/record-briefs.ts'
import { cardKinds } from '../data/records.ts'
import { namedTaskOptions } from '../data/rows-by-id.ts'
import { RecordLink } from '../parts/records/record-link.tsx'
import { useGoneName } from './event-value.tsx'

interface EventRecordProps {
  event: Pick<LogEvent, 'entity_type' | 'entity_id' | '_embedded'>
  className?: string
}

/** The record of an event, as a link to its card. */
export function EventRecord(props: EventRecordProps) {
  return props.event.entity_type === 'task' ? <TaskOf {...props} /> : <CardOf {...props} />
}

function CardOf({ event: { entity_type, entity_id, _embedded }, className }: EventRecordProps) {
  const gone = useGoneName()
  const collection = collectionOf(entity_type)
  const embedded = _embedded.entity.name
  const { data } = useQuery({
    ...briefOptions(collection ?? 'leads', entity_id),
    enabled: collection !== undefined && embedded === undefined,
  })
  const name = embedded || data?.name || gone(entity_type, entity_id)
  if (!collection || data === null) return <span className={className}>{name}</span>
  return (
    <RecordLink collection={collection} id={entity_id} className={className}>
      <span title={name}>{name}</span>
    </RecordLink>
  )
}

/** A task has no card: it links to the card of its record, or to all tasks. */
function TaskOf({ event: { entity_id }, className }: EventRecordProps) {
  const { t } = useTranslation()
  const gone = useGoneName()
  const { data } = useQuery(namedTaskOptions(entity_id))
  if (!data) return <span className={className}>{data === null ? gone('task', entity_id) : '…'}</span>
  const text = t('events.task_of', { text: data.text })
  const collection = cardKinds.find((kind) => kind === data.entity_type)
  if (collection && data.entity_id !== null)
    return (
      <RecordLink collection={collection} id={data.entity_id} className={className}>
        <span title={text}>{text}</span>
      </RecordLink>
    )
  return (
    <Link to="/tasks" className={className}>
      {text}
    </Link>
  )
}
