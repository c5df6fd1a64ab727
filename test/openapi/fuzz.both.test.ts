import fc from 'fast-check'
import { expect, test } from 'vitest'
import { kindOfRun } from '../databases/databases.ts'
import { times } from '../long.ts'
import { type World, world } from '../world.ts'
import { type ChangeWatch, rowsOf, watchChanges } from './changes.ts'
import { misfitOf } from './conformance.ts'
import { type Description, descriptionOf } from './description.ts'
import { ANOTHER_ACCOUNT } from './mutations.ts'
import { composed, type Plan, plansOf, type Sent } from './requests.ts'
import { type Caller, callerOf, seed } from './seeds.ts'
import { isForged, signedBy } from './signing.ts'
import { Stock } from './stock.ts'

/**
 * The number of requests of a run and their seed, which are printed on a failure. In CI, the seed is fixed, so that a
 * failure is caused by a change. Elsewhere, each run is different.
 */
const REQUESTS = Number(
  process.env.FUZZ_REQUESTS ?? (kindOfRun() === 'sqlite' ? times(350, 20_000) : times(120, 10_000)),
)
const SEED = Number(process.env.FUZZ_SEED ?? (process.env.CI ? 1 : Math.floor(Math.random() * 2 ** 31)))
/** Runs one operation, such as `POST /api/v4/leads`, or those that match an expression, such as `origin|chats`. */
const ONLY = process.env.FUZZ_ONLY
/** The older APIs describe the items of their bodies in words, so generated ones are seldom valid. */
const OLDER = /^\/(api\/v2|api\/unsorted|private)\//
/** After this many requests, the stock is refilled, because requests delete objects. */
const RESEED = 1_000
/** The number of failing operations after which a run stops. */
const ENOUGH = 20

/** The tables that refused requests of an operation can write. */
const writtenByRefusals: Record<string, string[]> = {
  // A stored answer under an Idempotency-Key, which can be a refusal (V9).
  any: ['idempotency_keys'],
  // A replayed code revokes its tokens (A5).
  'POST /oauth2/access_token': ['grants', 'audit_log'],
  // An upload ends if it gets more bytes than announced.
  'POST /drive/v1.0/sessions/upload/{token}/{start}': ['upload_sessions', 'file_usage', 'file_parts'],
}

interface Run {
  all: World
  description: Description
  caller: Caller
  stock: Stock
  changes: ChangeWatch
}

const nameOf = ({ operation }: Pick<Plan, 'operation'>): string => `${operation.method} ${operation.path}`

/** A name contains braces, so it is not an expression. */
const isAsked = (name: string, only: string): boolean =>
  / /.test(only) ? name === only : new RegExp(only).test(name)

/** Requests of all operations in turns, so that deleted objects are requested again; with fewer requests, of some. */
function plansOfAll(description: Description): Plan[] {
  const all = description.operations.filter(
    ({ method, path }) => ONLY === undefined || isAsked(`${method} ${path}`, ONLY),
  )
  const step = Math.max(1, Math.floor(all.length / REQUESTS))
  const operations = all.filter((_, i) => (i + SEED) % step === 0)
  const numRuns = Math.ceil(REQUESTS / operations.length)
  const plans = operations.map((operation, i) =>
    fc.sample(plansOf(description, operation), { numRuns, seed: SEED + i }),
  )
  return Array.from({ length: numRuns }, (_, round) => plans.map((of) => of[round] as Plan)).flat()
}

/** Sends a request. Returns its status and the faults of the answer. */
async function send(run: Run, sent: Sent, plan: Plan): Promise<{ status: number; faults: string[] }> {
  const { all, description, caller, stock } = run
  const { payload, headers, url } = sent
  const method = sent.method as 'GET'
  const answer = await all.app.http.inject({
    method,
    url,
    headers,
    ...(payload !== undefined && { payload }),
  })
  const { statusCode: status, body: text } = answer
  const type = answer.headers['content-type']
  const body = text !== '' && /[/+]json/.test(String(type)) ? JSON.parse(text) : text
  const written = await run.changes()
  if (status >= 500) return { status, faults: [`${status} ${lastError(all)}`] }

  const faults: string[] = []
  if (status >= 400) {
    const expected = [...(writtenByRefusals.any as string[]), ...(writtenByRefusals[nameOf(plan)] ?? [])]
    const records = written.filter((table) => !expected.includes(table))
    if (records.length > 0) faults.push(`${status} and wrote ${records.join(', ')}`)
  } else {
    stock.keep(url.split('?', 1)[0] as string, body)
  }
  const misfit = misfitOf(description, { method, url, status, type, text, body })
  const allowed = String(answer.headers.allow ?? method).split(', ')
  // A generated id can be the word of another address, such as /leads/tags, which has other methods.
  const isElsewhere = status === 405 && !allowed.includes(method)
  if (misfit !== null && method === plan.operation.method && !isElsewhere) faults.push(misfit)
  if (status < 400 && isForged(plan)) faults.push('took what its channel did not sign')
  const isByToken = plan.operation.security.length > 0
  if (isByToken && status === 401 && headers.authorization === `Bearer ${caller.token}`)
    faults.push('the token ended')
  return { status, faults }
}

/** The logged error of an internal error. */
function lastError(all: World): string {
  const lines = all.logged().split('\n')
  const last = lines.findLast((line) => line.includes('unexpected error'))
  return JSON.parse(last ?? '{}').err?.stack?.slice(0, 600) ?? 'and no error in the log'
}

test('a generated request to any route gets a described answer, never an internal error, and a refusal leaves nothing', {
  timeout: 900_000,
}, async () => {
  const all = await world()
  expect((await all.addAccount('another')).id).toBe(ANOTHER_ACCOUNT)
  const untouched = await rowsOf(all.ctx, ANOTHER_ACCOUNT)
  const description = await descriptionOf(all.app.http)
  const stock = new Stock(description)
  const caller = await callerOf(all, stock)
  const run: Run = { all, description, caller, stock, changes: await watchChanges(all.ctx) }
  const failures = new Map<string, string>()
  const done = new Set<string>()
  const identity = { host: caller.host, authorization: `Bearer ${caller.token}` }
  for (const [i, plan] of plansOfAll(description).entries()) {
    if (i % RESEED === 0) {
      await seed(all, caller, stock)
      await run.changes()
    }
    const sent = signedBy(caller.channels, all.ctx.clock(), composed(plan, stock, identity), plan)
    const { status, faults } = await send(run, sent, plan)
    if (status < 400) done.add(nameOf(plan))
    if (faults.length === 0 || failures.has(nameOf(plan))) continue
    const request = `${sent.method} ${sent.url.slice(0, 300)} ${String(sent.payload ?? '').slice(0, 600)}`
    failures.set(nameOf(plan), `${faults.join('; ')}; for ${plan.variant}: ${request}`)
    if (failures.size >= ENOUGH) break
  }
  expect([...failures.values()], `FUZZ_SEED=${SEED} FUZZ_REQUESTS=${REQUESTS}`).toEqual([])
  expect(await rowsOf(all.ctx, ANOTHER_ACCOUNT), 'rows of an account that nobody of it asked for').toEqual(
    untouched,
  )
  // Enough requests must succeed for a meaningful result. Short runs do not reach all operations.
  const reached = description.operations.filter(({ path }) => !OLDER.test(path))
  const undone = reached.map((operation) => nameOf({ operation })).filter((name) => !done.has(name))
  if (REQUESTS >= 20_000 && !ONLY)
    expect(undone.length, `did nothing: ${undone.join(', ')}`).toBeLessThan(reached.length / 8)
})
