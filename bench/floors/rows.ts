import { randomUUID } from 'node:crypto'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { openStore as openTokens, sha256, type Store as Tokens } from './auth.ts'
import { addLog, logOf } from './event-pages.ts'
import { addPages, pagesOf, type Read } from './pages.ts'
import { openPostgres } from './rows-postgres.ts'
import { openSqlite } from './rows-sqlite.ts'

/**
 * The least program that leaves the same rows as the real one, in a copy of its database: the same tables with the same
 * indexes, ids, search words, keys and events, in one durable transaction. It answers the same pages, too (`pages.ts`,
 * `event-pages.ts`). A caller has a token. Nobody has rights, nothing is validated or looked up, and no webhook or stream
 * follows. `test/databases/floor-rows.both.test.ts` compares the rows.
 *
 *   node bench/floors/rows.ts PORT sqlite|postgres ADDRESS TOKENS CONSTANTS
 *
 * ADDRESS is the copy, TOKENS the database of another floor, which has the tokens, and CONSTANTS are in JSON.
 */
export interface Store {
  read: Read
  addLeads(drafts: LeadDraft[], by: Request): Promise<number[]>
  changePrice(id: number, price: number, by: Request): Promise<void>
  addNotes(drafts: NoteDraft[], by: Request): Promise<number[]>
  close(): Promise<void>
}

export interface Request {
  id: string
  /** Unix seconds. */
  at: number
}

export interface LeadDraft {
  name: string
  price: number
  custom_fields_values?: { field_id: number; values: [DraftValue] }[]
}

/** A value by itself, or an option by its id. */
export interface DraftValue {
  value?: unknown
  enum_id?: number
}

export interface NoteDraft {
  entity_id: number
  note_type: 'common'
  params: object
}

/** The same in all rows and answers of a measurement. */
export interface Constants {
  /** The address of the API. */
  base: string
  account_id: number
  user_id: number
  /** The number of the integration. */
  integration: number
  pipeline_id: number
  status_id: number
  /** People who see only their own records: one has many, the other few. */
  owners?: { many: number; few: number }
  /** The fields of all kinds of records. */
  fields: { id: number; type: string; name: string; enums: readonly { id: number; value: string }[] }[]
}

export const openStore = (database: string, address: string, constants: Constants): Promise<Store> =>
  database === 'postgres' ? openPostgres(address, constants) : openSqlite(address, constants)

export const newRequest = (): Request => ({ id: randomUUID(), at: Math.floor(Date.now() / 1000) })

function serve(store: Store, tokens: Tokens, constants: Constants): FastifyInstance {
  const app = Fastify({ bodyLimit: 2 * 1024 * 1024 })
  const preHandler = async ({ headers }: FastifyRequest, reply: FastifyReply) => {
    const token = (headers.authorization as string).slice('Bearer '.length)
    if (!(await tokens.findGrant(sha256(token)))) return reply.code(401).send()
  }
  const added = (name: string, ids: number[]) => ({ _embedded: { [name]: ids.map((id) => ({ id })) } })
  app.get('/ready', async () => ({ status: 'ready' }))
  addPages(app, pagesOf(store.read, constants), preHandler)
  addLog(app, logOf(store.read, constants), preHandler)
  app.post('/leads', { preHandler }, async ({ body }) =>
    added('leads', await store.addLeads(body as LeadDraft[], newRequest())),
  )
  app.patch('/leads/:id', { preHandler }, async ({ params, body }) => {
    const id = Number((params as { id: string }).id)
    const request = newRequest()
    await store.changePrice(id, (body as LeadDraft).price, request)
    return { id, updated_at: request.at }
  })
  app.post('/notes', { preHandler }, async ({ body }) =>
    added('notes', await store.addNotes(body as NoteDraft[], newRequest())),
  )
  return app
}

if (import.meta.main) {
  const [port, database = 'sqlite', address = '', ofTokens = '', json = ''] = process.argv.slice(2)
  const constants: Constants = JSON.parse(json)
  const store = await openStore(database, address, constants)
  const tokens = await openTokens(database, ofTokens)
  const app = serve(store, tokens, constants)
  await app.listen({ host: '127.0.0.1', port: Number(port) })
  process.once('SIGTERM', async () => {
    await app.close()
    await store.close()
    await tokens.close()
  })
}
