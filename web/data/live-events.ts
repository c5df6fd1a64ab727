import { batched } from '../api/batched.ts'
import { followStream } from '../api/follow-stream.ts'
import { createListeners } from '../api/listeners.ts'
import { expectColleagues } from './colleagues.ts'
import { type LogEvent, timelineKey } from './events.ts'
import { queryClient } from './query-client.ts'
import { readChanged } from './record-lists.ts'
import type { Collection } from './records.ts'
import { pageBegan, pageOwner } from './session.ts'

/** The collections of the records that events are about. */
const collections: Record<string, Collection | undefined> = {
  lead: 'leads',
  contact: 'contacts',
  company: 'companies',
  customer: 'customers',
}
/** The collection of the record that an event is about. A task has no card. */
export const collectionOf = (entity_type: string): Collection | undefined => {
  const list = /^catalog_(\d+)$/.exec(entity_type)?.[1]
  return list ? `catalogs/${Number(list)}/elements` : collections[entity_type]
}

/** Queries that any event can change: they are read again wherever they are shown. */
const followers = [timelineKey, ['events'], ['tasks'], ['home']]

/** Somebody calls. `entity` is the contact or company with the number. */
export interface CallNotice {
  phone: string
  entity: { type: 'contacts' | 'companies'; id: number } | null
}

const events = createListeners<LogEvent[]>()
const calls = createListeners<CallNotice>()

/** Calls a listener with the events of the stream as they arrive. The result stops this. */
export const onNewEvents = events.listen

/** Calls a listener with each notice of a call as it arrives. The result stops this. */
export const onCallNotice = calls.listen

/** Follows the events that the reader can see. The result stops this. */
export function followEvents(): () => void {
  const arriving = batched<LogEvent>(show, { wait: 120, rest: 600 })
  let newest = ''
  const stop = followStream({
    path: `/web/v4/events?with=integration&page_of=${pageOwner()}`,
    began: pageBegan(),
    event: 'message',
    onData(data) {
      const event = JSON.parse(data) as LogEvent
      // A stream that is opened again begins a little before that.
      if (event.id <= newest) return
      newest = event.id
      arriving.add(event)
    },
    others: {
      call: (data) => calls.tell(JSON.parse(data) as CallNotice),
    },
    onReturn() {
      for (const queryKey of [['record'], ['records'], ['totals'], ...followers])
        queryClient.invalidateQueries({ queryKey })
    },
  })
  return () => {
    stop()
    arriving.end()
  }
}

async function show(arrived: LogEvent[]): Promise<void> {
  expectColleagues(arrived.map(({ created_by }) => created_by))
  events.tell(arrived)
  const changed = new Map<Collection, Set<number>>()
  for (const { entity_type, entity_id } of arrived) {
    const collection = collectionOf(entity_type)
    if (collection) changed.set(collection, (changed.get(collection) ?? new Set()).add(entity_id))
  }
  for (const queryKey of followers) queryClient.invalidateQueries({ queryKey })
  await Promise.all([...changed].map(([collection, ids]) => readChanged(collection, [...ids])))
}
