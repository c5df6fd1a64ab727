import { type Expression, type SqlBool, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { ConversationRow } from '../../db/tables.ts'
import { searchedWords } from '../../entities/entities.ts'
import { invalid, invalidChoice } from '../../errors.ts'
import { listOf, partsOf, type QueryValue, textOf } from '../../http/queries/bracket-query.ts'
import type { Page } from '../../http/queries/paging.ts'
import { numberOf } from '../../http/queries/query-values.ts'
import type { ChatReader } from '../conversations/chat-rights.ts'
import { readInWindows } from '../conversations/windows.ts'
import { type ChatState, chatStates } from './chat-filter.ts'
import { type Place, seenOf, stretchOf, type Walk } from './chat-list-queries.ts'

export interface ChatsAsked {
  filter?: QueryValue
  query?: QueryValue
  page: number
  position?: unknown
}

const MOST_CHANNELS = 10
const MOST_RECORDS = 250

/** A page of the visible chats, latest activity first, and the position of the next one. */
export async function listChats(
  db: Db,
  reader: ChatReader,
  asked: ChatsAsked,
  page: Page,
): Promise<{ rows: ConversationRow[]; next: string | null }> {
  const filter = readFilter(asked)
  if (filter === null) return { rows: [], next: null }
  const { state, ...own } = filter
  const from = placeOf(asked)
  const walk: Walk = {
    ...own,
    account_id: reader.access.actor.account_id,
    is_unread: state === 'unread',
    contact_seen: reader.contact_seen,
    among: await reader.few(),
    from,
  }
  const conditions = [...(reader.seen ? [reader.seen] : []), ...inState(state)]
  const stretch = { limit: page.limit + 1, offset: from === null ? page.offset : 0 }
  const found = await readStretch(db, walk, conditions, stretch)
  const rows = found.slice(0, page.limit)
  const last = rows.at(-1)
  const next = found.length > page.limit && last ? `${last.last_message_at}.${last.id}` : null
  return { rows, next }
}

async function readStretch(
  db: Db,
  walk: Walk,
  conditions: Expression<SqlBool>[],
  page: { limit: number; offset: number },
): Promise<ConversationRow[]> {
  if (conditions.length === 0) return (await stretchOf(db, walk, page).execute(db)).rows
  const seen = sql<SqlBool>`(${sql.join(conditions, sql` and `)})`
  return readInWindows(walk, page, {
    read: async (at, window, limit) => (await seenOf(db, at, seen, window, limit).execute(db)).rows,
    async after(at, window) {
      const [from] = (await stretchOf(db, at, { limit: 1, offset: window - 1 }).execute(db)).rows
      return from && { ...at, from }
    },
  })
}

/** Unread chats have an index. Open and closed ones are filtered. */
const inState = (state: ChatState | null): Expression<SqlBool>[] =>
  state === 'open' || state === 'closed'
    ? [sql<SqlBool>`conversations.is_in_work = ${state === 'open' ? 1 : 0}`]
    : []

type Filter = Pick<Walk, 'channel_ids' | 'contact_ids' | 'lead_ids' | 'words'> & { state: ChatState | null }

/** Null if the search text has no word: it must not match everything. */
function readFilter({ filter, query }: ChatsAsked): Filter | null {
  const parts = partsOf(filter)
  const words = searchedWords(textOf(query))
  if (words.length === 0 && textOf(query) !== '') return null
  const ids = (name: string) =>
    valuesOf(name, parts[name], MOST_RECORDS)?.map((text) => numberOf(`filter.${name}`, text)) ?? null
  const channels = valuesOf('channel_id', parts.channel_id, MOST_CHANNELS)
  return {
    channel_ids: channels && [...new Set(channels.map((id) => id.toLowerCase()))],
    contact_ids: ids('contact_id'),
    lead_ids: ids('lead_id'),
    words,
    state: stateOf(parts.state),
  }
}

function valuesOf(name: string, value: QueryValue | undefined, most: number): string[] | null {
  const values = listOf(value)
  if (values.length > most)
    throw invalid(`filter.${name}`, 'TooMany', `This filter accepts at most ${most} values.`)
  return values.length > 0 ? values : null
}

function stateOf(value: QueryValue | undefined): ChatState | null {
  if (value === undefined || value === '') return null
  const state = chatStates.find((one) => one === value)
  if (!state) throw invalidChoice('filter.state', chatStates)
  return state
}

/** The position of the page, if it belongs to the requested page number. */
function placeOf({ page, position }: ChatsAsked): Place | null {
  const [, forPage, at, id] = /^(\d{1,7})\.(\d{1,16})\.([0-9a-f-]{36})$/.exec(textOf(position)) ?? []
  return Number(forPage) === page ? { last_message_at: Number(at), id: id as string } : null
}
