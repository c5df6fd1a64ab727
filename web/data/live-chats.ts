import type { Query } from '@tanstack/react-query'
import { batched } from '../api/batched.ts'
import { followStream } from '../api/follow-stream.ts'
import { chatKeys, knownChats } from './chats.ts'
import { type LogEvent, timelineKey } from './events.ts'
import { onNewEvents } from './live-events.ts'
import { readChat } from './messages.ts'
import { queryClient } from './query-client.ts'
import { pageBegan, pageOwner } from './session.ts'

/** The number of chats whose last version is remembered. */
const REMEMBERED = 5_000
/** More chats than this at once are read as lists. */
const MANY = 8

/** Follows the chats of the account. The result stops this. */
export function followChats(): () => void {
  const count = batched<void>(() => queryClient.invalidateQueries({ queryKey: chatKeys.unread }), {
    wait: 0,
    rest: 2_000,
  })
  const changed = batched<string>((ids) => readChats(new Set(ids)).then(count.add), { wait: 60, rest: 400 })
  const versions = new Map<string, number>()
  const stop = followStream({
    path: `/web/v4/chats?page_of=${pageOwner()}`,
    began: pageBegan(),
    event: 'chat',
    onData(data) {
      const { id, version } = JSON.parse(data) as { id: string; version: number }
      // A stream that comes back begins a little before the break.
      if (versions.get(id) === version) return
      if (versions.size >= REMEMBERED) versions.clear()
      versions.set(id, version)
      changed.add(id)
    },
    onReturn: () => queryClient.invalidateQueries({ queryKey: chatKeys.all }),
  })
  const stopEvents = onNewEvents((events) => {
    for (const id of chatsAbout(events)) changed.add(id)
  })
  return () => {
    stopEvents()
    stop()
    changed.end()
    count.end()
  }
}

/** Events that change what a chat shows of its contact and its lead. Its own stream does not tell of them. */
const ofRecords = new Set([
  'name_field_changed',
  'sale_field_changed',
  'lead_status_changed',
  'lead_deleted',
  'lead_restored',
  'contact_deleted',
  'contact_restored',
])

function chatsAbout(events: LogEvent[]): string[] {
  const changed = new Set(
    events
      .filter(({ type }) => ofRecords.has(type))
      .map((event) => `${event.entity_type} ${event.entity_id}`),
  )
  if (changed.size === 0) return []
  return knownChats()
    .filter((chat) => changed.has(`contact ${chat.contact_id}`) || changed.has(`lead ${chat.lead_id}`))
    .map(({ id }) => id)
}

/** Whether a query is read as a whole, and not only its next page, which is added to the pages as they are. */
const isWhole = ({ state }: Query): boolean => state.fetchMeta?.fetchMore === undefined

async function readChats(ids: ReadonlySet<string>): Promise<void> {
  // The server can have answered a read under way before the change, and its result would replace the new one.
  queryClient.invalidateQueries({ queryKey: chatKeys.all, fetchStatus: 'fetching', predicate: isWhole })
  if (ids.size > MANY) queryClient.invalidateQueries({ queryKey: chatKeys.all })
  else await Promise.all([...ids].map(readChat))
  queryClient.invalidateQueries({ queryKey: timelineKey })
}
