import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { line } from '../../../test/fixtures/conversations.ts'
import { add } from '../../../test/fixtures/records.ts'
import { logged as recorded } from '../../../test/fixtures/request-log.ts'
import { world } from '../../../test/world.ts'
import { buildApp } from '../../app.ts'
import { type PoolState, pools } from '../../db/pools.ts'
import { ADMISSION } from './admission.ts'

const BUSY: PoolState = { open: 10, idle: 0, waiting: 1_000 }
const IDLE: PoolState = { open: 10, idle: 10, waiting: 0 }

const PATIENCE = { timeout: 20_000 }

/** A server whose database is as busy as the test requires. */
async function listening() {
  const all = await world()
  const { ctx } = all
  const database = { state: IDLE }
  pools.set(ctx.db, () => database.state)
  const { http, operator } = await buildApp(ctx)
  await http.listen({ port: 0, host: '127.0.0.1' })
  onTestFinished(() => http.close())
  const { port } = http.server.address() as AddressInfo
  const ask = (path: string, init: RequestInit = {}) => fetch(`http://127.0.0.1:${port}${path}`, init)
  return { ...all, database, ask, operator }
}

/** The text that a stream has sent so far, and whether it has ended. */
async function follow(answer: Response) {
  const stream = { text: '', hasEnded: false }
  const read = async () => {
    for await (const text of (answer.body as ReadableStream).pipeThrough(new TextDecoderStream()))
      stream.text += text
  }
  read()
    .catch(() => {})
    .finally(() => {
      stream.hasEnded = true
    })
  await expect.poll(() => stream.text, PATIENCE).toContain(': still here')
  return stream
}

const post = { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } }

test('an overloaded server refuses in the form of each surface and recovers at once', async () => {
  const here = await listening()
  const { database, ask, logged, operator } = here
  database.state = BUSY
  const surfaces: [string, RequestInit][] = [
    ['/api/v4/account', {}],
    ['/api/v4/leads', post],
    ['/drive/v1.0/files', {}],
    ['/web/session', post],
    ['/oauth2/access_token', post],
    ['/private/api/v2/json/fields/set', post],
    ['/v2/origin/custom/a', post],
    ['/nothing', {}],
  ]
  const refusals = surfaces.map(([path, init]) => ask(path, init))
  const waiting = async () =>
    /^patchbay_requests_waiting (\d+)$/m.exec((await operator.inject('/metrics')).body)?.[1]
  await expect.poll(waiting).toBe(String(surfaces.length))
  // The last few may wait longer.
  const patient = Array.from({ length: ADMISSION.few }, async () => (await ask('/api/v4/account')).status)
  const answers = await Promise.all(
    refusals.map(async (refusal) => {
      const answer = await refusal
      const { status, headers } = answer
      return { status, retry_after: headers.get('retry-after'), body: (await answer.json()) as object }
    }),
  )
  expect((await ask('/healthz')).status).toBe(200)
  database.state = IDLE
  expect(answers.map(({ status }) => status)).toEqual(surfaces.map(() => 503))
  const problem = {
    status: 503,
    type: expect.stringMatching(/#overloaded$/),
    retry_after: expect.any(Number),
  }
  const [account, leads, drive, web, oauth, legacy, chat, nothing] = answers.map(({ body }) => body)
  for (const body of [account, leads, drive, web, nothing]) expect(body).toMatchObject(problem)
  expect(oauth).toMatchObject({ status: 503, error: 'temporarily_unavailable' })
  expect(legacy).toMatchObject({ response: { error_code: 425 } })
  expect(chat).toMatchObject({ error_code: 503, error_type: 'OVERLOADED' })
  for (const { retry_after } of answers) expect(retry_after).toMatch(/^[123]$/)
  expect(await Promise.all(patient)).toEqual(patient.map(() => 401))
  expect((await ask('/api/v4/account')).status).toBe(401)
  expect(logged().match(/the server is overloaded/g)).toHaveLength(1)
  const { body } = await operator.inject('/metrics')
  expect(body).toContain(`patchbay_refused_total{reason="overload"} ${surfaces.length}\n`)
  const statuses = (await recorded(here)).map(({ status }) => status)
  expect(new Set(statuses)).toEqual(new Set([401]))
})

test('repeated refusals equal the first one of their surface, except for the request id', async () => {
  const { database, ask, operator } = await listening()
  database.state = BUSY
  const addresses = [
    '/api/v4/leads?limit=1',
    '/drive/v1.0/files',
    '/web/session',
    '/oauth2/access_token',
    '/private/api/v2/json/fields/set',
    '/v2/origin/custom/a',
    '/nothing',
  ]
  const EACH = 15
  const asked = addresses.flatMap((path) =>
    Array.from({ length: EACH }, async () => {
      const answer = await ask(path, post)
      const { status, headers } = answer
      return { path, status, headers: Object.fromEntries(headers), body: await answer.text() }
    }),
  )
  const refused = async () =>
    Number(
      /^patchbay_refused_total{reason="overload"} (\d+)$/m.exec(
        (await operator.inject('/metrics')).body,
      )?.[1],
    )
  await expect.poll(refused, PATIENCE).toBe(asked.length - ADMISSION.few)
  database.state = IDLE
  const refusals = (await Promise.all(asked)).filter(({ status }) => status === 503)
  expect(refusals).toHaveLength(asked.length - ADMISSION.few)
  expect(new Set(refusals.map(({ headers }) => headers['x-request-id'])).size).toBe(refusals.length)
  // Refusals of one surface differ only in the retry time.
  const alike = Map.groupBy(refusals, ({ path, headers }) => `${path} ${headers['retry-after']}`)
  for (const answers of alike.values()) {
    const refusals = answers.map(({ headers: { date: _, 'x-request-id': __, ...headers }, body }) => ({
      headers,
      body: body.replace(/"server_time":\d+/, ''),
    }))
    for (const one of refusals) expect(one).toEqual(refusals[0])
  }
})

test('open streams continue while new requests are refused', async () => {
  const all = await listening()
  const { cookie = '', host } = all.admin.browser.identity
  const stop = new AbortController()
  onTestFinished(() => stop.abort())
  const stream = async (path: string) =>
    follow(
      await all.ask(path, {
        headers: { cookie, host, accept: 'text/event-stream' },
        signal: stop.signal,
      }),
    )
  const [events, chats] = [await stream('/web/v4/events'), await stream('/web/v4/chats')]
  const open = await line(all)
  all.database.state = BUSY
  let isOver = false
  const statuses: number[] = []
  // More than the few that are never refused.
  const crowd = Array.from({ length: 4 * ADMISSION.few }, async () => {
    while (!isOver) statuses.push((await all.ask('/api/v4/account')).status)
  })
  const refused = () => statuses.filter((status) => status === 503).length
  for (const n of [1, 2, 3]) {
    const before = refused()
    await expect.poll(refused, PATIENCE).toBeGreaterThan(before)
    const lead = await add(all.admin.browser, 'leads', { name: `Roof ${n}` })
    const chat = await open.write(`ann ${n}`)
    await expect.poll(() => events.text, PATIENCE).toContain(`"entity_id":${lead},`)
    await expect.poll(() => chats.text, PATIENCE).toContain(chat)
  }
  expect(new Set(statuses)).toEqual(new Set([503]))
  expect([events.hasEnded, chats.hasEnded]).toEqual([false, false])
  isOver = true
  all.database.state = IDLE
  await Promise.all(crowd)
})
