import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { ADMISSION, Admission, type AdmissionLimits } from './admission.ts'

interface Caller {
  path: string
  /** The caller, by which requests are queued. */
  from?: string
}

/** The requests that use the database at the same time. */
const POOL = 10

/**
 * A server whose handler blocks the event loop for `work` milliseconds per request: at once, or after its `query`, of which
 * the database runs ten at a time.
 */
async function listening(work: number, limits: Partial<AdmissionLimits> = {}, { query = false } = {}) {
  const served: string[] = []
  const database = { isFree: true }
  let running = 0
  const answer: RequestListener = (request, response) => {
    const until = performance.now() + (request.url === '/healthz' ? 0 : work)
    while (performance.now() < until);
    served.push(`${request.headers.authorization ?? ''}${request.url}`)
    response.end('served')
  }
  const queried: RequestListener = (request, response) => {
    database.isFree = ++running < POOL
    setTimeout(() => {
      database.isFree = --running < POOL
      answer(request, response)
    }, 1)
  }
  const admission = new Admission({
    serve: query ? queried : answer,
    refuse: (_request, response: ServerResponse) => void response.writeHead(503).end('refused'),
    flowOf: ({ headers }) => headers.authorization ?? '',
    isFree: () => database.isFree,
    limits: { ...ADMISSION, ...limits },
  })
  const server = createServer(admission.take).on('connection', admission.accepted)
  server.listen(0, '127.0.0.1', 4_096)
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo

  /** The status of the answer, over a new connection. */
  const ask = ({ path, from = 'a' }: Caller) =>
    new Promise<number>((resolve, reject) => {
      const socket = connect(port, '127.0.0.1')
      socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${from}\r\n\r\n`)
      socket.once('data', (bytes: Buffer) => {
        socket.destroy()
        resolve(Number(bytes.toString().slice(9, 12)))
      })
      socket.once('error', reject)
    })
  const askAll = (count: number, path = '/work') => Array.from({ length: count }, () => ask({ path }))
  return { server, port, admission, database, served, ask, askAll }
}

const count = (statuses: number[], status: number) => statuses.filter((one) => one === status).length

test('a health check on a new connection overtakes waiting requests', async () => {
  const { served, ask, askAll } = await listening(2)
  const crowd = askAll(300)
  await sleep(1)
  expect(await ask({ path: '/healthz' })).toBe(200)
  const before = served.filter((path) => path !== 'a/healthz').length
  const statuses = await Promise.all(crowd)
  expect(before).toBeLessThan(150)
  expect(count(statuses, 200) + count(statuses, 503)).toBe(300)
})

test('requests that would wait too long are refused, and the next one is served', async () => {
  const { admission, ask, askAll } = await listening(5, { max_wait: 50 })
  const statuses = await Promise.all(askAll(200))
  // On a busy machine, accepting the connections can take longer than a request may wait, except for a few.
  expect(count(statuses, 200)).toBeGreaterThanOrEqual(8)
  expect(count(statuses, 503)).toBeGreaterThan(50)
  expect(count(statuses, 200) + count(statuses, 503)).toBe(200)
  expect([admission.waiting, admission.refused]).toEqual([0, count(statuses, 503)])
  expect(await ask({ path: '/work' })).toBe(200)
})

test('during an overload, most requests beyond the pace are refused on arrival, and other callers are served', async () => {
  const waits: { from: string; isServed: boolean; ms: number }[] = []
  const note = (isServed: boolean) => (request: IncomingMessage) => {
    const { authorization: from = '', date } = request.headers
    waits.push({ from, isServed, ms: performance.now() - Number(date) })
  }
  const admission = new Admission({
    serve: (request) => {
      note(true)(request)
      const until = performance.now() + 5
      while (performance.now() < until);
    },
    refuse: note(false),
    flowOf: ({ headers }) => headers.authorization ?? '',
    isFree: () => true,
    limits: { ...ADMISSION, max_wait: 200 },
  })
  const take = (authorization: string) => {
    const headers = { authorization, date: String(performance.now()) }
    const request = { url: '/work', headers, socket: { destroyed: false } }
    admission.take(request as IncomingMessage, {} as ServerResponse)
  }
  const flood = async (turns: number) => {
    for (let turn = 0; turn < turns; turn++) {
      for (let n = 0; n < 20; n++) take('busy')
      await sleep(5)
    }
  }
  while (admission.refused === 0) await flood(1)
  await flood(20)
  waits.length = 0
  take('other')
  await flood(30)
  await expect.poll(() => admission.waiting).toBe(0)

  expect(waits.find(({ from }) => from === 'other')?.isServed).toBe(true)
  const refused = waits.filter(({ isServed }) => !isServed).map(({ ms }) => ms)
  expect(refused.length).toBeGreaterThan(300)
  expect(refused.filter((ms) => ms < 10).length).toBeGreaterThan(refused.length / 2)
  expect(waits.length - refused.length).toBeGreaterThan(30)

  take('busy')
  await expect.poll(() => waits.at(-1)?.isServed).toBe(true)
})

test('a few slow requests are not an overload', async () => {
  const { askAll } = await listening(30, { max_wait: 20 })
  expect(await Promise.all(askAll(8))).toEqual(Array(8).fill(200))
})

test('a busy caller does not block other callers', async () => {
  const { served, ask, askAll } = await listening(2, { max_wait: 60_000 })
  const busy = askAll(200)
  await sleep(50)
  await ask({ path: '/other', from: 'b' })
  const before = served.length
  await Promise.all(busy)
  expect(served.length - before).toBeGreaterThan(100)
})

test('a full queue refuses at once', async () => {
  const { database, admission, askAll } = await listening(0, { max_wait: 60_000, max_waiting: 10 })
  database.isFree = false
  const statuses = askAll(30)
  await expect.poll(() => admission.refused).toBe(20)
  database.isFree = true
  expect(count(await Promise.all(statuses), 200)).toBe(10)
})

test('requests wait while the database is busy, and an abandoned request is not served', async () => {
  const { port, database, admission, served, ask } = await listening(0)
  database.isFree = false
  const patient = ask({ path: '/patient' })
  const gone = connect(port, '127.0.0.1')
  gone.write('GET /gone HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await expect.poll(() => admission.waiting).toBe(2)
  expect(await ask({ path: '/healthz' })).toBe(200)
  gone.destroy()
  await sleep(50)
  database.isFree = true
  expect(await patient).toBe(200)
  await expect.poll(() => admission.waiting).toBe(0)
  expect(served).toEqual(['a/healthz', 'a/patient'])
})

test('connections are accepted at the same rate if requests take their time after a query', async () => {
  const accepting = { most: 100, per_ms: 4 }
  const { server, served, askAll } = await listening(5, { max_wait: 60_000, accepting }, { query: true })
  let accepted = 0
  const servedBefore = new Promise<number>((resolve) => {
    server.on('connection', () => {
      if (++accepted === 400) resolve(served.length)
    })
  })
  const statuses = askAll(400)
  // Each ten requests take fifty milliseconds, in which a hundred connections are accepted.
  expect(await servedBefore).toBeLessThan(60)
  expect(count(await Promise.all(statuses), 200)).toBe(400)
})
