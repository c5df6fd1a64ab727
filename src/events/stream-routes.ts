import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Actor, requirePaid } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import type { Db } from '../db/database.ts'
import { readsFor } from '../db/postgres/replica.ts'
import { invalid, Refusal } from '../errors.ts'
import { BYTE_ORDER_MARK } from '../http/bodies/csv.ts'
import { delimiterOf, formOf, headingsOf, isForSpreadsheet } from '../http/bodies/forms.ts'
import { type QueryValue, withNames } from '../http/queries/bracket-query.ts'
import { baseOf } from '../http/queries/paging.ts'
import { allEvents, namedCsv, plainCsv, type StreamForm, type Writing, writings } from './export.ts'
import { type EventFilter, readEventFilter } from './filters.ts'
import type { ShownEvent } from './list-queries.ts'
import { newEvents, type TailStart, throughOutages } from './live.ts'
import { merged } from './merged.ts'
import { eventParts, partsFor } from './names.ts'
import { type Readers, readersOf } from './reading.ts'
import type { EventsQuery } from './schemas.ts'
import { createStreams, recentMs } from './streams.ts'
import type { Subjects } from './subjects.ts'

/** Texts that open pages get on the stream of the log besides its events, as server-sent events without ids. */
export type Beside = (ctx: Context, actor: Actor, signal: AbortSignal) => AsyncGenerator<string>

/** The log has one more form than other lists. */
const tails = { 'text/event-stream': 'tail' } as const

/** The requested form of the list, or null for a page. */
export const streamFormOf = (request: FastifyRequest): StreamForm | null => formOf(request, tails)

/**
 * Answers the list of events as a tail or an export, with the query of the list except for paging. Reads and sends one
 * page at a time, at the speed of the client.
 */
export function sendEvents(ctx: Context, v4: FastifyInstance, subjects: Subjects, beside?: Beside) {
  const base = baseOf(v4)
  const streams = createStreams(ctx, 'streams')
  v4.addHook('preClose', async () => streams.end())

  return async (request: FastifyRequest, reply: FastifyReply, form: StreamForm) => {
    const { account_id } = request.actor
    const asked = request.query as EventsQuery
    const filter = await readEventFilter(ctx, asked.filter as QueryValue)
    const start = form === 'tail' ? startOf(request) : NOW
    const requested = withNames(asked.with as QueryValue, eventParts)
    // Rows and names of an export come from the replica. Rights are read from the database.
    const source = form === 'tail' ? ctx : { ...ctx, db: await readsFor(ctx) }
    const readers = readersOf(ctx, subjects, async () => {
      const actor = await request.renewActor()
      requirePaid(ctx, actor)
      return actor
    })
    const { type, head, page } = await writingOf(source.db, request, form, requested.has('integration'))
    const rendering = { account_id, base: base(request) }
    const logTexts = async function* (signal: AbortSignal) {
      let opening = (isForSpreadsheet(request) ? BYTE_ORDER_MARK : '') + head
      for await (const events of eventsOf(source, readers, form, { filter, start }, signal)) {
        const find = () => partsFor(source, account_id, subjects, events, requested)
        const parts = await (form === 'tail' ? throughOutages(signal, find) : find())
        // The headers are sent with the first text. A client that has them gets every later event in its tail.
        yield opening + (await page(events, { ...rendering, ...parts }))
        opening = ''
      }
      if (opening) yield opening
    }
    // Only pages show what is beside the log. One stream carries both, because a browser opens few.
    const isPage = form === 'tail' && request.actor.integration === null
    const texts = (signal: AbortSignal) =>
      isPage && beside ? merged(logTexts(signal), beside(ctx, request.actor, signal)) : logTexts(signal)
    const body = await streams.begin(request.actor, reply.raw, texts)
    // A buffering proxy would never pass on a tail.
    reply.header('cache-control', 'no-store').header('x-accel-buffering', 'no').type(type)
    if (form !== 'tail') reply.header('content-disposition', `attachment; filename="events.${form}"`)
    return reply.send(body)
  }
}

async function writingOf(
  db: Db,
  request: FastifyRequest,
  form: StreamForm,
  withIntegrations: boolean,
): Promise<Writing> {
  if (form !== 'csv') return writings[form]
  const table = { delimiter: delimiterOf(request), withIntegrations }
  const language = headingsOf(request)
  return language ? await namedCsv(db, request.actor.account_id, language, table) : plainCsv(table)
}

async function* eventsOf(
  ctx: Context,
  readers: Readers,
  form: StreamForm,
  { filter, start }: { filter: EventFilter; start: TailStart },
  signal: AbortSignal,
): AsyncGenerator<ShownEvent[]> {
  // A failed export is cut off, so that the client can tell that it is incomplete.
  if (form !== 'tail') return yield* allEvents(ctx, readers, filter, signal)
  try {
    yield* newEvents(ctx, readers, filter, start, signal)
  } catch (error) {
    // A tail ends when the caller loses access. The client reconnects and then gets the reason.
    if (!(error instanceof Refusal)) throw error
  }
}

const NOW: TailStart = { recent_ms: 0 }

function startOf(request: FastifyRequest): TailStart {
  const after = lastEventId(request)
  return after === null ? { recent_ms: recentMs(request.query) } : { after }
}

/** The event after which an interrupted tail continues (HTML Living Standard, 9.2.4); null to begin now. */
function lastEventId({ headers }: FastifyRequest): string | null {
  const id = headers['last-event-id']
  if (id === undefined || id === '') return null
  if (typeof id !== 'string' || !/^[0-9a-z]{26}$/.test(id))
    throw invalid('Last-Event-ID', 'InvalidFormat', 'Last-Event-ID must be the id of an event.')
  return id
}
