import fc from 'fast-check'
import { expect, test } from 'vitest'
import { client } from '../client.ts'
import { add, addAll } from '../fixtures/records.ts'
import { isLong, times } from '../long.ts'
import { type World, world } from '../world.ts'
import { type Cost, costOf, leastCost } from './cost.ts'
import { type DescribedOperation, type Description, descriptionOf } from './description.ts'
import { hostileBodies, hostileQueries, hostileTexts } from './hostile.ts'
import { composed, type Plan, plansOf, type Sent } from './requests.ts'
import { callerOf, seed } from './seeds.ts'
import { signedBy } from './signing.ts'
import { Stock } from './stock.ts'

const SEED = Number(process.env.FUZZ_SEED ?? (process.env.CI ? 1 : Math.floor(Math.random() * 2 ** 31)))
/** Runs one operation with every shape. */
const ONLY = process.env.FUZZ_ONLY
/** The number of hostile shapes per size of body and of queries. Each operation and seed gets different ones. */
const SHAPES = Number(process.env.COST_SHAPES ?? (ONLY ? Number.POSITIVE_INFINITY : isLong ? 8 : 1))
/** Sizes of bodies in bytes: for all operations, and for those with batches. */
const SIZES = { usual: 60 * 1024, batch: 2_000_000 }
/** Valid requests, of which the largest is the basis of hostile ones. */
const SAMPLES = times(4, 10)

/** The headers of the administrator's browser, for requests that are sent as text. */
function browserHeaders({ admin }: World): Record<string, string> {
  const { host, cookie = '', csrf_token = '' } = admin.browser.identity
  return { host, cookie, 'x-csrf-token': csrf_token, 'sec-fetch-site': 'same-origin' }
}

interface Legal {
  send(): Promise<unknown>
  cost: Cost
  bytes: number
}

/**
 * The reference is a legal batch, because the speed of a machine varies. SQLite runs in the measured thread, so its
 * statements are included. With PostgreSQL, only the server's own work is measured.
 */
async function legalBatch(all: World): Promise<Legal> {
  const { browser } = all.admin
  const drafts = Array.from({ length: 40 }, (_, i) => ({ name: `Field ${i}`, type: 'text' }))
  const fields = await addAll(browser, 'leads/custom_fields', drafts)
  const contact = await add(browser, 'contacts')
  const custom_fields_values = fields.map((field_id) => ({ field_id, values: [{ value: 'so many words' }] }))
  const _embedded = { contacts: [{ id: contact }], tags: [{ name: 'Spring' }] }
  const payload = JSON.stringify(Array(250).fill({ name: 'Roof', custom_fields_values, _embedded }))
  const headers = { ...browserHeaders(all), 'content-type': 'application/json' }
  const send = async () => {
    const answer = await all.app.http.inject({ method: 'POST', url: '/web/v4/leads', headers, payload })
    expect(answer.statusCode).toBe(200)
  }
  return { send, cost: await leastCost(2, send), bytes: payload.length }
}

/** The limit for a single block: half of a legal batch. */
const HALF = 0.5
/** A link has half as many bytes as a value and its own row, while the values of a record share one. */
const ROWS_FOR_BYTES = 4

/**
 * Checks the cost of a request; null if it is acceptable. A read or refused request costs at most as much as a legal
 * batch, and a successful write in proportion to its bytes. Neither blocks others for longer than half a legal batch.
 */
async function excessOf({ app }: World, legal: Legal, { method, ...request }: Sent): Promise<string | null> {
  let usual = legal.cost
  let status = 0
  const send = async () => {
    status = (await app.http.inject({ ...request, method: method as 'GET' })).statusCode
  }
  const bounds = () => {
    const isWritten = status < 400 && method !== 'GET'
    const share = isWritten ? ROWS_FOR_BYTES * Math.max(1, (request.payload?.length ?? 0) / legal.bytes) : 1
    return { cpu: share * usual.cpu, longest: HALF * usual.cpu }
  }
  const exceeds = ({ cpu, longest }: Cost) => cpu > bounds().cpu || longest > bounds().longest
  let cost = await costOf(send)
  // A cost of ten times the limit is not noise, and may be too slow to repeat.
  for (let left = 3; left > 0 && exceeds(cost) && cost.cpu < 10 * bounds().cpu; left--) {
    // Other programs on the machine slow both down.
    usual = await costOf(legal.send)
    cost = await costOf(send)
  }
  if (!exceeds(cost)) return null
  const shown = ({ cpu, longest }: Cost) => `${Math.round(cpu)} ms, ${Math.round(longest)} ms at once`
  return `${status} after ${shown(cost)}; bounds are ${shown(bounds())}`
}

/** Some of them, depending on the number. */
const someOf = <One>(all: readonly One[], number: number): One[] =>
  all.length <= SHAPES
    ? [...all]
    : Array.from({ length: SHAPES }, (_, i) => all[(number + i * 7) % all.length] as One)

/** A valid request with a large body. */
function largestPlan(description: Description, operation: DescribedOperation, seed: number): Plan {
  const plans = fc.sample(plansOf(description, operation), { numRuns: SAMPLES, seed })
  const size = ({ body }: Plan) => JSON.stringify(body)?.length ?? 0
  const largest = plans.reduce((most, one) => (size(one) > size(most) ? one : most))
  return { ...largest, variant: 'right', choice: 1 }
}

const queryNames = ({ parameters }: DescribedOperation): string[] =>
  parameters.flatMap((one) => ('name' in one && one.in === 'query' ? [one.name] : []))

const isBatch = ({ body }: DescribedOperation): boolean => body?.type === 'array'

const isStream = ({ path }: DescribedOperation): boolean => /stream|events\/export/.test(path)

test('a hostile request to any operation costs at most as much as a legal batch and yields to others', {
  timeout: 900_000,
}, async () => {
  const all = await world()
  const description = await descriptionOf(all.app.http)
  const stock = new Stock(description)
  const caller = await callerOf(all, stock)
  await seed(all, caller, stock)
  const identity = { host: caller.host, authorization: `Bearer ${caller.token}` }
  const legal = await legalBatch(all)
  const failures: string[] = []
  const fits = async (sent: Sent, what: string): Promise<boolean> => {
    const excess = await excessOf(all, legal, sent)
    if (excess !== null) failures.push(`${sent.method} ${sent.url.slice(0, 100)}: ${what}: ${excess}`)
    return excess === null
  }
  const operations = description.operations.filter(
    ({ method, path }) => ONLY === undefined || `${method} ${path}` === ONLY,
  )
  for (const [i, operation] of operations.entries()) {
    // In the short form, a sixteenth of the operations: another one with each seed.
    if (!isLong && !ONLY && (SEED + i) % 16 !== 0) continue
    const plan = largestPlan(description, operation, SEED + i)
    const sent = composed(plan, stock, identity)
    const number = (SEED % 1_000) + i
    for (const bytes of sent.payload === undefined
      ? []
      : isBatch(operation)
        ? Object.values(SIZES)
        : [SIZES.usual]) {
      const bodies = hostileBodies(JSON.parse(String(sent.payload)), bytes)
      const fit: boolean[] = []
      for (const body of someOf(bodies, number)) {
        const payload = body.text()
        const signed = signedBy(caller.channels, all.ctx.clock(), { ...sent, payload }, plan)
        fit.push(await fits(signed, `${body.shape}, ${payload.length} letters`))
      }
      // A larger body could take hours.
      if (fit.includes(false)) break
    }
    const names = queryNames(operation)
    if (operation.method !== 'GET' || names.length === 0 || isStream(operation)) continue
    const [path] = sent.url.split('?')
    for (const query of someOf(hostileQueries(names), number))
      await fits({ ...sent, url: `${path}?${query}` }, 'a hostile query')
  }
  expect(failures, `FUZZ_SEED=${SEED}`).toEqual([])
})

test('hostile texts, choices, links and tags in a legal batch cost no more; both yield to others', {
  timeout: 300_000,
}, async () => {
  const all = await world()
  const { browser } = all.admin
  const legal = await legalBatch(all)
  const [field_id] = await addAll(browser, 'leads/custom_fields', [{ name: 'Story', type: 'textarea' }])
  const enums = Array.from({ length: 1_000 }, (_, i) => ({
    value: `${'word '.repeat(48)}${i}`,
    code: `C${i}`,
    sort: i + 1,
  }))
  const choices: number[] = []
  for (let i = 0; i < times(2, 8); i++)
    choices.push(
      ...(await addAll(browser, 'leads/custom_fields', [
        { name: `Choices ${i}`, type: 'multiselect', enums },
      ])),
    )
  const unknown = Array(250).fill({ value: 'a' })
  const chosen = (name: 'value' | 'enum_code') =>
    enums.slice(-250).map(({ value, code }) => ({ [name]: name === 'value' ? value : code }))
  const contacts = await addAll(browser, 'contacts', Array(250).fill({}))
  const main = contacts.map((id) => ({ id, is_main: true }))
  const entity_id = await add(browser, 'leads')
  const call = { duration: 1, source: 'a', phone: '1' }
  const newTags = (of: number) => Array.from({ length: 250 }, (_, n) => ({ name: `Tag ${of} ${n}` }))
  // In the short form, a third of them: others with each seed.
  const textsOfRun = hostileTexts(60_000).filter((_, i) => isLong || (SEED + i) % 3 === 0)
  const writes: [path: string, body: unknown][] = [
    ...textsOfRun.flatMap((text): [string, unknown][] => [
      ['leads', [{ custom_fields_values: [{ field_id, values: [{ value: text.slice(-20_000) }] }] }]],
      ['leads/notes', [{ entity_id, note_type: 'common', params: { text } }]],
      ['leads/notes', [{ entity_id, note_type: 'call_in', params: { ...call, link: `https://${text} ` } }]],
    ]),
    ...(['value', 'enum_code'] as const).map((name): [string, unknown] => [
      'leads',
      Array(name === 'value' ? 30 : times(50, 250)).fill({
        custom_fields_values: [{ field_id: choices[0], values: chosen(name) }],
      }),
    ]),
    [
      'leads',
      Array(30).fill({ custom_fields_values: choices.map((field_id) => ({ field_id, values: unknown })) }),
    ],
    ['leads', Array(times(50, 100)).fill({ _embedded: { contacts: main } })],
    ['leads', Array.from({ length: times(50, 100) }, (_, i) => ({ tags_to_add: newTags(i) }))],
  ]
  const headers = browserHeaders(all)
  const requests: Sent[] = writes.map(([path, body]) => ({
    method: 'POST',
    url: `/web/v4/${path}`,
    headers: { ...headers, 'content-type': 'application/json' },
    payload: JSON.stringify(body),
  }))
  for (const query of hostileQueries(['query', 'filter[name]', 'filter[custom_fields_values][1]']))
    requests.push({ method: 'GET', url: `/web/v4/leads?${query}`, headers })
  const failures: string[] = []
  for (const sent of requests) {
    const excess = await excessOf(all, legal, sent)
    const what = `${sent.url.slice(0, 100)} ${String(sent.payload ?? '').slice(0, 100)}`
    if (excess !== null) failures.push(`${what}: ${excess}`)
  }
  expect(failures).toEqual([])
  await expectToYield(all, legal)
})

/** Other requests are served while a legal batch is. */
async function expectToYield(all: World, legal: Legal): Promise<void> {
  const other = client(all.app.http, all.admin.browser.identity)
  let isDone = false
  let served = 0
  const others = async () => {
    while (!isDone) {
      expect((await other.get('/web/v4/account')).status).toBe(200)
      served++
      // A network request arrives in a new turn of the event loop.
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  const batch = async () => {
    await legal.send().finally(() => {
      isDone = true
    })
  }
  const [{ cpu, longest }] = await Promise.all([costOf(batch), others()])
  expect(served).toBeGreaterThan(10)
  expect(longest).toBeLessThan(cpu / 2)
}
