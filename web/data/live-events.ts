import type { LogEvent } from './events.ts'
import { timelineKey } from './events.ts'
import { followStream } from '../api/follow-stream.ts'
import { queryClient } from './query-client.ts'
import { readChanged } from './record-cache.ts'
import type { Collection } from './records.ts'

/** Milliseconds: how long what happens is gathered before it is read, and the rest between two readings while much does. */
const GATHER = 120
const REST = 600
/** More records than this at once are read as lists. */
const MANY = 100

/** Where the records are that events tell of. */
const collections: Record<string, Collection | undefined> = {
  lead: 'leads',
  contact: 'contacts',
  company: 'companies',
  customer: 'customers',
}
/** Where the record is that an event is about; a task has no card. */
export const collectionOf = (entity_type: string): Collection | undefined => {
  const list = /^catalog_(\d+)$/.exec(entity_type)?.[1]
  return list ? `catalogs/${Number(list)}/elements` : collections[entity_type]
}

/** What shows the log, tasks or counts of anything that happens: read again, whoever shows it. */
const followers = [timelineKey, ['events'], ['tasks'], ['home']]

/** Follows the log of the account until the answer is called: what the reader may see of it. */
export function followEvents(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let toldAt = 0
  let heard: LogEvent[] = []
  const tell = () => {
    timer = undefined
    toldAt = Date.now()
    const events = heard
    heard = []
    arrived(events)
  }
  const stop = followStream({
    path: '/web/v4/events',
    event: 'message',
    onData(data) {
      heard.push(JSON.parse(data) as LogEvent)
      timer ??= setTimeout(tell, Math.max(GATHER, toldAt + REST - Date.now()))
    },
    onReturn() {
      for (const queryKey of [['record'], ['records'], ['totals'], ...followers])
        queryClient.invalidateQueries({ queryKey })
    },
  })
  return () => {
    stop()
    clearTimeout(timer)
  }
}

function arrived(events: LogEvent[]): void {
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
