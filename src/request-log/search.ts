import type { RequestLogDb } from '../db/request-log-database.ts'
import { createTurns } from '../fair-turns.ts'
import { type Head, type Messages, readHeads, readMessages } from './entries.ts'
import { unpack } from './packing.ts'
import { type FoundBatch, selectBatches } from './queries.ts'

/** The place of a request in its batch is in the last three digits of its id. */
const PLACES = 1_000
/** Requests in one batch. */
export const BATCH_ROWS = 500
/** Batches that are read at once. Messages are large. */
const READ_AT_ONCE = { heads: 50, messages: 4 }

/** A recorded request of a list. */
export interface Found extends Head {
  id: number
}

/** A recorded request with its messages. */
export interface FoundExchange extends Found {
  messages: Messages
}

/** Conditions of a list; undefined members do not count. */
export interface Filter {
  integration_id?: string | undefined
  operation?: string | undefined
  direction?: string | undefined
  method?: string | undefined
  path?: string | undefined
  request_id?: string | undefined
  /** Any of these, for a trace. */
  request_ids?: ReadonlySet<string> | undefined
  grant_id?: string | undefined
  generation?: number | undefined
  /** The first digit of the status, or the whole status; 0: no answer. */
  status?: number | undefined
  /** A text in the path, the query or a body, in the same case. */
  text?: string | undefined
  only_unread?: boolean | undefined
  only_refused?: boolean | undefined
}

/** The part of the log that is searched, both ends excluded. */
export interface Span {
  after: number
  before: number
}

export const WHOLE: Span = { after: 0, before: Number.MAX_SAFE_INTEGER }

/** Members that are compared as they are. */
export const compared = [
  'integration_id',
  'operation',
  'direction',
  'method',
  'path',
  'request_id',
  'grant_id',
  'generation',
] as const satisfies readonly (keyof Head)[]

/** Whether a status is of a class, such as 4, or is this one. */
export const isStatus = (wanted: number, status: number | null): boolean =>
  wanted === (wanted < 10 ? Math.floor((status ?? 0) / 100) : status)

function matches(filter: Filter, head: Head): boolean {
  const { status, only_unread, only_refused, request_ids } = filter
  return (
    (request_ids === undefined || request_ids.has(head.request_id)) &&
    compared.every((name) => filter[name] === undefined || filter[name] === head[name]) &&
    (status === undefined || isStatus(status, head.status)) &&
    !(only_unread && head.unread.length === 0) &&
    !(only_refused && head.why === null)
  )
}

function holdsText(text: string, { path, query }: Head, { request, response }: Messages): boolean {
  return [path, query, request.body, response.body].some((one) => one?.includes(text))
}

/** The texts of a batch. */
interface ReadBatch {
  id: number
  heads: string
  messages: string
}

const readBatch = ({ id, heads, messages }: FoundBatch): ReadBatch => ({
  id,
  heads: unpack(heads),
  messages: messages === undefined ? '' : unpack(messages),
})

/** The matching requests of a batch, the newest first. A text that is not in the batch at all is not looked for in it. */
function* inBatch({ id, heads, messages }: ReadBatch, filter: Filter, span: Span): Generator<Found> {
  const { text } = filter
  if (text !== undefined) {
    const inHeads = heads.includes(JSON.stringify(text).slice(1, -1))
    if (!inHeads && !messages.includes(text)) return
  }
  const all = readHeads(heads)
  const bodies: Messages[] = text === undefined ? [] : readMessages(messages, all)
  for (const [i, head] of [...all.entries()].reverse()) {
    const place = id * PLACES + i
    if (place <= span.after || place >= span.before || !matches(filter, head)) continue
    if (text === undefined || holdsText(text, head, bodies[i] as Messages)) yield { id: place, ...head }
  }
}

/**
 * The newest matching requests of a part of the log. It is read in pieces, with pauses for other work, so that a filter
 * that matches nothing does not block the server.
 */
export async function searchRequests(
  db: RequestLogDb,
  account_id: number,
  filter: Filter,
  span: Span,
  limit: number,
): Promise<Found[]> {
  const found: Found[] = []
  const nextTurn = createTurns()
  const hasMessages = filter.text !== undefined
  const size = hasMessages ? READ_AT_ONCE.messages : READ_AT_ONCE.heads
  const from = Math.floor(span.after / PLACES)
  for (let to = Math.floor(span.before / PLACES); to >= from; ) {
    const batches = await selectBatches(db, account_id, { from, to }, { limit: size, hasMessages })
    for (const batch of batches) {
      for (const one of inBatch(readBatch(batch), filter, span)) if (found.push(one) === limit) return found
      const turn = nextTurn()
      if (turn) await turn
    }
    if (batches.length < size) break
    to = (batches.at(-1) as FoundBatch).id - 1
  }
  return found
}

/** Requests by id, of one account; those that are gone are left out. */
export async function readExchanges(
  db: RequestLogDb,
  account_id: number,
  ids: readonly number[],
): Promise<FoundExchange[]> {
  const read = new Map<number, ReadBatch | undefined>()
  const found: FoundExchange[] = []
  for (const id of ids) {
    const batch_id = Math.floor(id / PLACES)
    if (!read.has(batch_id)) {
      const range = { from: batch_id, to: batch_id }
      const [found] = await selectBatches(db, account_id, range, { limit: 1, hasMessages: true })
      read.set(batch_id, found && readBatch(found))
    }
    const batch = read.get(batch_id)
    if (!batch) continue
    const heads = readHeads(batch.heads)
    const head = heads[id % PLACES]
    const messages = readMessages(batch.messages, heads)[id % PLACES]
    if (head && messages) found.push({ id, ...head, messages })
  }
  return found
}
