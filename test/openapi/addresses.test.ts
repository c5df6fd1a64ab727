import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { isPostgres } from '../../src/db/dialect.ts'
import { tables } from '../../src/db/tables.ts'
import type { JsonSchema } from '../../src/http/operation.ts'
import { times } from '../long.ts'
import { type World, world } from '../world.ts'
import { watchChanges } from './changes.ts'
import { type DescribedOperation, type Description, descriptionOf } from './description.ts'
import { composed, type Plan, plansOf, type Sent } from './requests.ts'
import { callerOf, seed } from './seeds.ts'
import { signedBy } from './signing.ts'
import { Stock } from './stock.ts'

const SEED = Number(process.env.FUZZ_SEED ?? (process.env.CI ? 1 : Math.floor(Math.random() * 2 ** 31)))
const ONLY = process.env.FUZZ_ONLY
/** Requests to an operation until one succeeds and only affects the record in its address. */
const TRIES = 40
/** Requests to an operation of which none has succeeded. Most need one or two. */
const VAIN_TRIES = times(12, TRIES)
/** Requests that are made at once. */
const BATCH = 4
/** Attempts with different decoys. */
const OTHERS = 40
/** Names of columns that say what a row belongs to. `fuzz.both.test.ts` sends those of the account. */
const OWNERS = ['id', 'entity_id', 'entity_type', 'catalog_id', 'user_id', 'integration_id']

type Decoys = Record<string, string | number>

/** The names in the braces of a path. */
const namesIn = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string)

/** The members of a body, or of each item if it is a batch. */
function membersOf(shared: Record<string, JsonSchema>, schema: JsonSchema): string[] {
  if (typeof schema.$ref === 'string') return membersOf(shared, shared[schema.$ref.slice(1)] as JsonSchema)
  const parts = [schema.items, schema.anyOf, schema.oneOf, schema.allOf].flat().filter(Boolean)
  return [
    ...Object.keys(schema.properties ?? {}),
    ...parts.flatMap((part) => membersOf(shared, part as JsonSchema)),
  ]
}

/** Values of another object for the names in the address, and for owner columns that the body does not use. */
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
      const numbers = Array.from({ length: OTHERS }).keys()
      const other =
        name === 'entity_type'
          ? kinds.find((kind) => !request.includes(kind))
          : numbers.map((number) => stock.pick(name, at, number)).find(isOther)
      return other === undefined ? [] : [[name, other]]
    }),
  )
}
/** Requests of an operation, made when they are needed: most operations need only the first ones. */
function* tries(description: Description, operation: DescribedOperation, seed: number): Generator<Plan> {
  const plans = plansOf(description, operation)
  for (let tried = 0; tried < TRIES; tried += BATCH)
    yield* fc.sample(plans, { numRuns: BATCH, seed: seed + 1_000 * tried })
}

const kinds = ['companies', 'customers', 'contacts', 'leads']

/** The body with the members in each of its items. */
function withMembers(payload: Sent['payload'], members: Decoys): string {
  const body = JSON.parse(String(payload))
  return JSON.stringify(
    Array.isArray(body) ? body.map((item) => ({ ...item, ...members })) : { ...body, ...members },
  )
}

/** Returns the rows that were added, changed or deleted since the previous call, before and after. */
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

/** The place of a decoy in the effects or the answer of a request; null if there is none. */
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

// Addresses are parsed before the database is queried, so one database is enough.
test('no member of a body overrides the address', { timeout: 300_000 }, async () => {
  const all = await world()
  // Ids become unique across tables, so that a value identifies its object.
  await all.ctx.db.transaction().execute((tx) =>
    (isPostgres(tx)
      ? sql`select setval(sequencename::text, 1000000 * row_number() over (order by sequencename))
          from pg_sequences where sequencename like '%\\_ids'`
      : sql`update sequences set last = 1000000 * (
          select count(*) from sequences as other where other.name <= sequences.name)`
    ).execute(tx),
  )
  const description = await descriptionOf(all.app.http)
  const stock = new Stock(description)
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
    // A trace can come from an existing relation of the decoy. An operation fails only if every attempt leaves one.
    const traces: string[] = []
    let tried = 0
    for (const plan of tries(description, operation, SEED + i)) {
      if (tried++ === VAIN_TRIES && traces.length === 0) break
      const sent = composed({ ...plan, variant: 'right' }, stock, identity)
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
  // Enough requests must succeed for a meaningful result.
  if (!ONLY) expect(done).toBeGreaterThan(operations.length / 2)
})
