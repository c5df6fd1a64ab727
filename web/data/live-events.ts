import { batched, followStream } from '../api/follow-stream.ts'
import { expectColleagues } from './colleagues.ts'
import type { LogEvent } from './events.ts'
import { timelineKey } from './events.ts'
import { queryClient } from './query-client.ts'
import { readChanged } from './record-lists.ts'
import type { Collection } from './records.ts'

/** More records than this at once are read as lists. */
const MANY = 100

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

const listeners = new Set<(events: LogEvent[]) => void>()

/** Somebody calls. `entity` is the contact or company with the number. */
export interface CallNotice {
  phone: string
  entity: { type: 'contacts' | 'companies'; id: number } | null
}

const callListeners = new Set<(notice: CallNotice) => void>()

/** Calls a listener with each notice of a call as it arrives. The result stops this. */
export function onCallNotice(listener: (notice: CallNotice) => void): () => void {
  callListeners.add(listener)
  return () => {
    callListeners.delete(listener)
  }
}

/** Calls a listener with the events of the stream as they arrive. The result stops this. */
export function onNewEvents(listener: (events: LogEvent[]) => void): () => void {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

/** Follows the events that the reader can see. The result stops this. */
export function followEvents(): () => void {
  const events = batched<LogEvent>(arrived, { wait: 120, rest: 600 })
  const stop = followStream({
    path: '/web/v4/events?with=integration',
    event: 'message',
    onData: (data) => events.add(JSON.parse(data) as LogEvent),
    others: {
      call(data) {
        for (const listener of callListeners) listener(JSON.parse(data) as CallNotice)
      },
    },
    onReturn() {
      for (const queryKey of [['record'], ['records'], ['totals'], ...followers])
        queryClient.invalidateQueries({ queryKey })
    },
  })
  return () => {
    stop()
    events.end()
  }
}

function arrived(events: LogEvent[]): void {
  expectColleagues(events.map(({ created_by }) => created_by))
  for (const listener of listeners) listener(events)
  const changed = new Map<Collection, Set<number>>()
  for (const { entity_type, entity_id } of events) {
    const collection = collectionOf(entity_type)
    if (collection) changed.set(collection, (changed.get(collection) ?? new Set()).add(entity_id))
  }
  for (const [collection, ids] of changed) {
    const readLists = () => {
      for (const what of ['records', 'totals'])
        queryClient.invalidateQueries({ queryKey: [what, collection] })
    }
    if (ids.size > MANY) readLists()
    else readChanged(collection, [...ids]).catch(readLists)
  }
  for (const queryKey of followers) queryClient.invalidateQueries({ queryKey })
}
