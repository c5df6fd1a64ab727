import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { isPostgres } from '../../src/db/dialect.ts'
import { tables } from '../../src/db/tables.ts'
import type { JsonSchema } from '../../src/http/operation.ts'
import { type World, world } from '../world.ts'
import { watchChanges } from './changes.ts'
import { type DescribedOperation, type Description, descriptionOf } from './description.ts'
import { composed, type Plan, plansOf, type Sent } from './requests.ts'
import { callerOf, seed } from './seeds.ts'
import { signedBy } from './signing.ts'
import { createStock, type Stock } from './stock.ts'

const SEED = Number(process.env.FUZZ_SEED ?? (process.env.CI ? 1 : Math.floor(Math.random() * 2 ** 31)))
const ONLY = process.env.FUZZ_ONLY
/** Requests to an operation until one of them is done, and is about nothing but its address. */
const TRIES = 40
/** Choices of another object of a name. */
const OTHERS = 40
/** Names by which tables say what a row belongs to; `fuzz.test.ts` sends the account's. */
const OWNERS = ['id', 'entity_id', 'entity_type', 'catalog_id', 'user_id', 'integration_id']

type Decoys = Record<string, string | number>

/** Names in the braces of a path. */
const namesIn = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string)

/** Members that a body of the schema may have: of each item where it is a batch. */
function membersOf(shared: Record<string, JsonSchema>, schema: JsonSchema): string[] {
  if (typeof schema.$ref === 'string') return membersOf(shared, shared[schema.$ref.slice(1)] as JsonSchema)
  const parts = [schema.items, schema.anyOf, schema.oneOf, schema.allOf].flat().filter(Boolean)
  return [
    ...Object.keys(schema.properties ?? {}),
    ...parts.flatMap((part) => membersOf(shared, part as JsonSchema)),
  ]
}

/** Another object's values for the names in the address, and for those of owners that have no meaning in the body. */
function decoysFor(
  description: Description,
  { operation }: Plan,
  { url, payload }: Sent,
  stock: Stock,
): Decoys {
  const { path } = operation
  const shared = description.document.components.schemas as Record<string, JsonSchema>
  const meant = membersOf(shared, operation.body ?? {})
  const names = new Set([...namesIn(path), ...OWNERS.filter((name) => !meant.includes(name))])
  const request = `${decodeURIComponent(url)} ${payload}`
  const isOther = (value: string | number | undefined) =>
    value !== undefined && String(value).length > 5 && !request.includes(String(value))
  return Object.fromEntries(
    [...names].flatMap((name): [string, string | number][] => {
      const at = path.includes(`{${name}}`) ? path.slice(0, path.indexOf(`{${name}}`)) : path
      const values = Array.from({ length: OTHERS }, (_, i) => stock.pick(name, at, i))
      const other =
        name === 'entity_type' ? kinds.find((kind) => !request.includes(kind)) : values.find(isOther)
      return other === undefined ? [] : [[name, other]]
    }),
  )
}
const kinds = ['companies', 'customers', 'contacts', 'leads']

/** The body with the members, in each of its items. */
function withMembers(payload: Sent['payload'], members: Decoys): string {
  const body = JSON.parse(String(payload))
  return JSON.stringify(
    Array.isArray(body) ? body.map((item) => ({ ...item, ...members })) : { ...body, ...members },
  )
}

/** Tells which rows were added, changed or deleted since it was last asked: as they were, and as they are. */
async function watchRows({ ctx }: World): Promise<() => Promise<Record<string, unknown>[]>> {
  const changes = await watchChanges(ctx)
  const read = async (table: string) => {
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(table)}`.execute(ctx.db)
    return new Map(rows.map((row) => [JSON.stringify(row), row]))
  }
  const known = new Map<string, Map<string, Record<string, unknown>>>()
  for (const table of tables) known.set(table, await read(table))
  return async () => {
    const changed: Record<string, unknown>[] = []
    for (const table of await changes()) {
      const [before, after] = [known.get(table) ?? new Map(), await read(table)]
      known.set(table, after)
      for (const [text, row] of before) if (!after.has(text)) changed.push({ table, ...row })
      for (const [text, row] of after) if (!before.has(text)) changed.push({ table, ...row })
    }
    return changed
  }
}

/** Where a decoy stands in what a request did or answered; null when it is nowhere. */
function traceOf(decoys: Decoys, rows: Record<string, unknown>[], answer: string): string | null {
  for (const [name, decoy] of Object.entries(decoys)) {
    const word = new RegExp(`(?<![\\w-])${decoy}(?![\\w-])`)
    const row = rows.find((one) =>
      Object.values(one).some((value) =>
        name === 'entity_type' ? value === decoy : word.test(String(value)),
      ),
    )
    if (row) return `${name} ${decoy} in ${JSON.stringify(row).slice(0, 300)}`
    if (name !== 'entity_type' && word.test(answer)) return `${name} ${decoy} in ${answer.slice(0, 300)}`
  }
  return null
}

// An address is read before a database is asked, the same for both.
test('no member of a body stands for what the address names', { timeout: 300_000 }, async () => {
  const all = await world()
  // An id is of one thing alone: then wherever it stands, that thing is meant.
  await all.ctx.db.transaction().execute((tx) =>
    (isPostgres(tx)
      ? sql`select setval(sequencename::text, 1000000 * row_number() over (order by sequencename))
          from pg_sequences where sequencename like '%\\_ids'`
      : sql`update sequences set last = 1000000 * (
          select count(*) from sequences as other where other.name <= sequences.name)`
    ).execute(tx),
  )
  const description = await descriptionOf(all.app.http)
  const stock = createStock(description)
  const caller = await callerOf(all, stock)
  const identity = { host: caller.host, authorization: `Bearer ${caller.token}` }
  const isAsked = ({ method, path, requestBody }: DescribedOperation) =>
    path.includes('{') &&
    Object.keys(requestBody?.content ?? {}).includes('application/json') &&
    (ONLY === undefined || `${method} ${path}` === ONLY)
  const operations = description.operations.filter(isAsked)
  for (let i = 0; i < 4; i++) await seed(all, caller, stock)
  const changedRows = await watchRows(all)

  const failures: string[] = []
  let done = 0
  for (const [i, operation] of operations.entries()) {
    // A trace may come from an earlier relation of the decoy: an operation fails only if every try leaves one.
    const traces: string[] = []
    for (const plan of fc.sample(plansOf(description, operation), { numRuns: TRIES, seed: SEED + i })) {
      const sent = composed({ ...plan, manner: 'right' }, stock, identity)
      const decoys = decoysFor(description, plan, sent, stock)
      const payload = withMembers(sent.payload, decoys)
      const { method, ...request } = signedBy(caller.channels, all.ctx.clock(), { ...sent, payload }, plan)
      const answer = await all.app.http.inject({ ...request, method: method as 'POST' })
      const rows = await changedRows()
      if (answer.statusCode >= 400) continue
      const trace = traceOf(decoys, rows, answer.body)
      if (trace === null) {
        done++
        traces.length = 0
        break
      }
      traces.push(`${method} ${sent.url} ${payload.slice(0, 400)}: ${trace}`)
    }
    if (traces[0]) failures.push(traces[0])
  }
  expect(failures, `FUZZ_SEED=${SEED}`).toEqual([])
  // Requests that are all refused would prove little.
  if (!ONLY) expect(done).toBeGreaterThan(operations.length * 0.6)
})
