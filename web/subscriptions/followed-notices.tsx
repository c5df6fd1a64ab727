import { useEffect, useEffectEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { LogEvent } from '../data/events.ts'
import { followedKey, followedOptions } from '../data/following.ts'
import { collectionOf, onNewEvents } from '../data/live-events.ts'
import { queryClient } from '../data/query-client.ts'
import { briefOptions } from '../data/record-briefs.ts'
import type { Collection } from '../data/records.ts'
import { Sentence } from '../events/event-line.tsx'
import { useNotice } from '../parts/records/use-notice.tsx'
import { useSignedIn } from '../shell/use-session.ts'

/** The records and the changes that notices tell one by one. */
const RECORDS = 3
const CHANGES = 3

/** Tells the person when somebody else changes a card that they follow. Renders nothing itself. */
export function FollowedNotices() {
  const { t } = useTranslation()
  const { user } = useSignedIn()
  const show = useNotice()
  const arrived = useEffectEvent(async (events: LogEvent[]) => {
    const byRecord = await changesOfFollowed(
      events.filter((event) => event.created_by !== user.id || event.created_by_integration),
    )
    if (byRecord.length > RECORDS)
      return show({ message: t('card.followed_many', { count: byRecord.length }) })
    for (const { collection, id, changes } of byRecord) {
      const brief = await queryClient.fetchQuery(briefOptions(collection, id)).catch(() => null)
      if (brief)
        show({
          record: { collection, id, name: brief.name || `#${id}` },
          message: <Changes events={changes} />,
        })
    }
  })
  useEffect(() => onNewEvents(arrived), [])
  return null
}

function Changes({ events }: { events: LogEvent[] }) {
  const { t } = useTranslation()
  const more = events.length - CHANGES
  return (
    <>
      {events.slice(0, CHANGES).map((event) => (
        <div key={event.id}>
          <Sentence event={event} />
        </div>
      ))}
      {more > 0 && <div>{t('card.followed_more', { count: more })}</div>}
    </>
  )
}

/** The events about followed records, by record. */
async function changesOfFollowed(events: LogEvent[]) {
  const followed = await queryClient.ensureQueryData(followedOptions)
  const byRecord = new Map<string, { collection: Collection; id: number; changes: LogEvent[] }>()
  for (const event of events) {
    const collection = collectionOf(event.entity_type)
    if (!collection) continue
    const key = followedKey(collection, event.entity_id)
    if (!followed.has(key)) continue
    const known = byRecord.get(key) ?? { collection, id: event.entity_id, changes: [] }
    known.changes.push(event)
    byRecord.set(key, known)
  }
  return [...byRecord.values()]
}
