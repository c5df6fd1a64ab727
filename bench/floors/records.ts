import Fastify, { type FastifyInstance } from 'fastify'
import { openPostgres } from './records-postgres.ts'
import { openSqlite } from './records-sqlite.ts'

/**
 * The least program that keeps leads with values of fields and a log: the same framework, the same database with the
 * same durability, values as one text a lead, one row of keys for each value so that it can be filtered by, one event
 * for the lead and one for each value. Callers are not authenticated, and nothing is validated.
 *
 *   node bench/floors/records.ts PORT sqlite FILE
 *   node bench/floors/records.ts PORT postgres URL
 */
export interface Store {
  /** Inserts the leads, their keys and their events in one durable transaction. Returns the new ids. */
  add(leads: NewLead[]): Promise<number[]>
  /** Reads a lead, writes its price and an event, in one durable transaction. */
  change(id: number, price: number): Promise<void>
  /** A page in the order of ids, with the text of the values. */
  list(after: number, limit: number): StoredLead[] | Promise<StoredLead[]>
  /** A page of the leads with the key. */
  filter(field_id: number, key: string, after: number, limit: number): StoredLead[] | Promise<StoredLead[]>
  close(): Promise<void>
}

export interface NewLead {
  name: string
  price: number
  custom_fields_values?: { field_id: number; values: { value: string }[] }[]
}

export interface StoredLead {
  id: number
  name: string
  price: number
  responsible_user_id: number
  status_id: number
  pipeline_id: number
  created_at: number
  updated_at: number
  field_values: string
}

export const now = () => Math.floor(Date.now() / 1000)

export const openStore = (database: string, address: string): Promise<Store> =>
  database === 'postgres' ? openPostgres(address) : openSqlite(address)

const leadSchema = {
  type: 'object',
  properties: {
    id: { type: 'integer' },
    name: { type: 'string' },
    price: { type: 'integer' },
    responsible_user_id: { type: 'integer' },
    status_id: { type: 'integer' },
    pipeline_id: { type: 'integer' },
    created_at: { type: 'integer' },
    updated_at: { type: 'integer' },
    custom_fields_values: {},
    _links: {
      type: 'object',
      properties: { self: { type: 'object', properties: { href: { type: 'string' } } } },
    },
  },
}
const pageSchema = {
  type: 'object',
  properties: {
    _page: { type: 'integer' },
    _embedded: { type: 'object', properties: { leads: { type: 'array', items: leadSchema } } },
  },
}

function serve(store: Store): FastifyInstance {
  const app = Fastify({ bodyLimit: 2 * 1024 * 1024 })
  const page = (leads: StoredLead[]) => ({
    _page: 1,
    _embedded: {
      leads: leads.map(({ field_values, ...lead }) => ({
        ...lead,
        custom_fields_values: JSON.parse(field_values),
        _links: { self: { href: `http://127.0.0.1/leads/${lead.id}` } },
      })),
    },
  })
  app.get('/ready', async () => ({ status: 'ready' }))
  app.post('/leads', async (request) => {
    const ids = await store.add(request.body as NewLead[])
    return { _embedded: { leads: ids.map((id) => ({ id })) } }
  })
  app.patch('/leads/:id', async (request) => {
    const id = Number((request.params as { id: string }).id)
    await store.change(id, (request.body as NewLead).price)
    return { id, updated_at: now() }
  })
  app.get('/leads', { schema: { response: { 200: pageSchema } } }, async () => page(await store.list(0, 250)))
  app.get('/leads/short', { schema: { response: { 200: pageSchema } } }, async () =>
    page((await store.list(0, 250)).map((lead) => ({ ...lead, field_values: 'null' }))),
  )
  app.get('/leads/filtered', { schema: { response: { 200: pageSchema } } }, async (request) => {
    const { field_id, key } = request.query as { field_id: string; key: string }
    return page(await store.filter(Number(field_id), key, 0, 250))
  })
  return app
}

if (import.meta.main) {
  const [port, database = 'sqlite', address = ''] = process.argv.slice(2)
  const store = await openStore(database, address)
  const app = serve(store)
  await app.listen({ host: '127.0.0.1', port: Number(port) })
  process.once('SIGTERM', async () => {
    await app.close()
    await store.close()
  })
}
