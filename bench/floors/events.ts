import Fastify, { type FastifyInstance } from 'fastify'
import type { EventRow, NoteRow } from '../../src/db/tables.ts'
import { eventTypeOf } from '../../src/events/event-types.ts'
import { known, openStore as openTokens, sha256, type Store as Tokens } from './auth.ts'
import { openPostgres } from './events-postgres.ts'
import { openSqlite } from './events-sqlite.ts'

/**
 * The least program that keeps a log and notes: the same framework, the same database with the same durability. Rows
 * are stored as the JSON that is sent, and a page is one range of the primary key. No caller is authenticated,
 * except where a single event is read; nothing is checked.
 *
 *   node bench/floors/events.ts PORT sqlite FILE
 *   node bench/floors/events.ts PORT postgres URL
 */
export interface Store {
  /** Inserts texts of events and notes, and notes, before the measurement. */
  fill(events: EventText[], notes: NoteRow[]): Promise<void>
  /** The texts of the newest events. */
  events(limit: number): string[] | Promise<string[]>
  /** The texts of the first notes. */
  notes(limit: number): string[] | Promise<string[]>
  noteRows(limit: number): StoredNote[] | Promise<StoredNote[]>
  /** Inserts the notes and an event for each in one durable transaction. Returns the new ids. */
  add(notes: NewNote[]): Promise<number[]>
  close(): Promise<void>
}

export interface EventText {
  id: string
  text: string
}

export interface NewNote {
  entity_id: number
  note_type: string
  params: object
}

export type StoredNote = Omit<NoteRow, 'account_id' | 'entity_type' | 'is_pinned' | 'is_deleted'>

export const now = () => Math.floor(Date.now() / 1000)

export const openStore = (database: string, address: string): Promise<Store> =>
  database === 'postgres' ? openPostgres(address) : openSqlite(address)

/** Creates a token before the measurement, to read one event. */
export async function addToken(database: string, address: string): Promise<string> {
  const tokens = await openTokens(database, address)
  const access_hash = sha256(known.access(0))
  await tokens.addPairs([{ access_hash, refresh_hash: sha256(known.refresh(0)), issued_at: now() }])
  await tokens.close()
  return known.access(0)
}

const BASE = 'http://127.0.0.1/api/v4'
const plurals: Record<string, string> = {
  lead: 'leads',
  contact: 'contacts',
  company: 'companies',
  task: 'tasks',
}

/** An event in its wire form. */
export function eventText(row: EventRow, base = BASE): EventText {
  const { id, entity_type, entity_id } = row
  const path = plurals[entity_type] ?? `${entity_type.replace('_', 's/')}/elements`
  const text =
    `{"id":"${id}","type":"${eventTypeOf(row.type)}","entity_id":${entity_id},"entity_type":"${entity_type}",` +
    `"created_by":${row.created_by},"created_at":${row.created_at},"value_after":${row.value_after},` +
    `"value_before":${row.value_before},"account_id":${row.account_id},` +
    `"_links":{"self":{"href":"${base}/events/${id}"}},"_embedded":{"entity":{"id":${entity_id},` +
    `"_links":{"self":{"href":"${base}/${path}/${entity_id}"}}}}}`
  return { id, text }
}

/** A note in its wire form. */
export function noteText(row: NoteRow): string {
  const { id, entity_type, entity_id, note_type, params, account_id, ...rest } = row
  const { responsible_user_id, created_by, updated_by, created_at, updated_at } = rest
  return (
    `{"id":${id},"entity_id":${entity_id},"created_by":${created_by},"updated_by":${updated_by},` +
    `"created_at":${created_at},"updated_at":${updated_at},"responsible_user_id":${responsible_user_id},` +
    `"group_id":0,"note_type":"${note_type}","params":${params},"account_id":${account_id},` +
    `"_links":{"self":{"href":"${BASE}/${entity_type}/${entity_id}/notes/${id}"}}}`
  )
}

const integers = (...names: string[]) => Object.fromEntries(names.map((name) => [name, { type: 'integer' }]))
const href = { type: 'object', properties: { href: { type: 'string' } } }
const noteSchema = {
  type: 'object',
  properties: {
    ...integers('id', 'entity_id', 'created_by', 'updated_by', 'created_at', 'updated_at'),
    ...integers('responsible_user_id', 'group_id', 'account_id'),
    note_type: { type: 'string' },
    params: {},
    _links: { type: 'object', properties: { self: href } },
  },
}
const notesSchema = {
  type: 'object',
  properties: {
    _page: { type: 'integer' },
    _embedded: { type: 'object', properties: { notes: { type: 'array', items: noteSchema } } },
  },
}

const PAGE = 250

function serve(store: Store, tokens: Tokens, page: string): FastifyInstance {
  const app = Fastify({ bodyLimit: 2 * 1024 * 1024 })
  app.get('/ready', async () => ({ status: 'ready' }))
  app.get('/events', async (_, reply) => reply.type(HAL).send(joined('events', await store.events(PAGE))))
  app.get('/events/text', async (_, reply) => reply.type(HAL).send(page))
  app.get('/event', async (request, reply) => {
    const token = (request.headers.authorization as string).slice('Bearer '.length)
    const id = await tokens.findGrant(sha256(token))
    return reply.code(id ? 200 : 401).send({ id, name: 'x'.repeat(140) })
  })
  app.get('/notes', async (_, reply) => reply.type(HAL).send(joined('notes', await store.notes(PAGE))))
  app.get('/notes/objects', { schema: { response: { 200: notesSchema } } }, async () => ({
    _page: 1,
    _embedded: {
      notes: (await store.noteRows(PAGE)).map((row) => ({
        ...row,
        params: JSON.parse(row.params),
        group_id: 0,
        account_id: 1,
        _links: { self: { href: `${BASE}/leads/${row.entity_id}/notes/${row.id}` } },
      })),
    },
  }))
  app.post('/notes', async (request) => {
    const ids = await store.add(request.body as NewNote[])
    return { _embedded: { notes: ids.map((id) => ({ id })) } }
  })
  return app
}

const HAL = 'application/hal+json'

const joined = (name: string, texts: string[]): string =>
  `{"_page":1,"_links":{"self":{"href":"${BASE}/${name}"}},"_embedded":{"${name}":[${texts.join(',')}]}}`

if (import.meta.main) {
  const [port, database = 'sqlite', address = ''] = process.argv.slice(2)
  const store = await openStore(database, address)
  const tokens = await openTokens(database, address)
  const app = serve(store, tokens, joined('events', await store.events(PAGE)))
  await app.listen({ host: '127.0.0.1', port: Number(port) })
  process.once('SIGTERM', async () => {
    await app.close()
    await store.close()
    await tokens.close()
  })
}
