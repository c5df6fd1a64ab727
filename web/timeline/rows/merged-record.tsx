import type { LogEvent } from '../../data/events.ts'
import { collectionOf } from '../../data/live-events.ts'
import { EventRecord } from '../../events/event-record.tsx'
import { useShared } from './row-context.ts'

/** Names the record of an event on the card into which that record was merged. */
export function MergedRecord({ event }: { event: LogEvent }) {
  const { card } = useShared()
  const isMerged = collectionOf(event.entity_type) === card.collection && event.entity_id !== card.id
  return (
    isMerged && (
      <>
        {' · '}
        <EventRecord event={event} />
      </>
    )
  )
}
