import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../src/commands/ports.ts'
import { onEmbedded } from '../databases/on-embedded.ts'
import { runsOn, times } from '../long.ts'
import { collector } from './collector.ts'
import { runProgram } from './program.ts'
import { receiver } from './receiver.ts'
import { type Line, openLine, startWorkers, type Workers } from './workers.ts'

/** In the short form, fewer processes and rounds: starting a process is most of the work. */
const PROCESSES = times(2, 4)
const ROUNDS = times(5, 200)
const all = <T>(value: T): T[] => Array(PROCESSES).fill(value)

describe('Several processes of one server (WORKERS)', () => {
  // One program for several steps: starting three processes takes most of the time.
  test.runIf(runsOn('postgres'))(
    `refuse a revoked token at once, in all ${PROCESSES}, ${ROUNDS} times, and hear of each other's writes`,
    async () => {
      const METRICS_LISTEN = `127.0.0.1:${await freePort()}`
      const workers = await startWorkers(PROCESSES, { METRICS_LISTEN })
      await refuseRevoked(workers, METRICS_LISTEN)
      await wakeEachOther(workers)
    },
  )

  onEmbedded(
    'start once, hear of each other, stop together after a signal, and export their spans',
    async () => {
      const spans = await collector()
      const workers = await startWorkers(2, {
        OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${spans.url}/custom/traces`,
        OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
        OUTBOUND_ALLOW: '127.0.0.0/8',
      })
      const request_id = await causeWebhook(workers)
      await wakeEachOther(workers)
      await stopTogether(workers)
      expectSpans(spans, request_id)
    },
  )

  test.runIf(runsOn('postgres'))('share the rate limits', async () => {
    const { lines, bearer, keys } = await startWorkers(2, { RATE_LIMITS: 'on' })
    const headers = await bearer()
    const guess = async (i: number) =>
      (
        await (lines[i % 2] as Line).send('POST', '/oauth2/access_token', {
          ...{ ...keys, client_secret: `guess ${i}` },
          ...{ grant_type: 'authorization_code', code: 'x' },
        })
      ).status
    const guesses = await Promise.all(Array.from({ length: 12 }, (_, i) => guess(i)))
    expect(guesses.sort()).toEqual([...Array(5).fill(400), ...Array(7).fill(429)])
    const account = async (i: number) =>
      (await (lines[i % 2] as Line).send('GET', '/api/v4/account', undefined, headers)).status
    const begun = performance.now()
    const answers: number[] = []
    // A slow machine needs more of them.
    while (!answers.includes(429))
      answers.push(...(await Promise.all(Array.from({ length: 100 }, (_, i) => account(i)))))
    const seconds = (performance.now() - begun) / 1000
    const allowed = answers.filter((status) => status === 200).length
    expect(new Set(answers)).toEqual(new Set([200, 429]))
    expect(allowed).toBeGreaterThanOrEqual(40)
    expect(allowed).toBeLessThanOrEqual(40 + Math.ceil(20 * seconds))
    // One process alone has the whole limit, too.
    await sleep(2_100)
    const ofOne = await Promise.all(Array.from({ length: 40 }, () => account(0)))
    expect(ofOne.filter((status) => status === 200)).toHaveLength(40)
  })

  onEmbedded('record the requests of an account at once when a killed process starts again', async () => {
    const { program, session, bearer, pidOf, lines } = await startWorkers(2)
    const headers = await bearer()
    const [first, second] = lines as [Line, Line]
    const setting = { is_on: true, days: 1, keeps_bodies: true }
    expect((await first.send('PUT', '/web/requests/settings', setting, session)).status).toBe(204)
    const killed = await pidOf(await second.send('GET', '/nothing'))
    process.kill(killed, 'SIGKILL')
    await expect.poll(() => program.output().match(/Server listening/g)).toHaveLength(3)
    const kept = await pidOf(await first.send('GET', '/nothing'))
    const asked: string[] = []
    for (let pid = kept; pid === kept; ) {
      const line = openLine(program.base)
      const reply = await line.send('GET', '/api/v4/account', undefined, headers)
      line.close()
      expect(reply.status).toBe(200)
      asked.push(reply.request_id)
      pid = await pidOf(reply)
    }
    const listed = async () =>
      (await first.send('GET', '/web/requests?limit=250', undefined, session)).body.requests.map(
        ({ request_id }: { request_id: string }) => request_id,
      )
    await expect.poll(listed).toEqual(expect.arrayContaining(asked))
  })

  onEmbedded('lose no acknowledged write when one is killed, go on, and end with the primary', async () => {
    const { program, bearer, pidOf, lines } = await startWorkers(2)
    const headers = await bearer()
    const pids = await Promise.all(lines.map(async (line) => pidOf(await line.send('GET', '/nothing'))))
    const acknowledged: number[] = []
    let isOver = false
    const write = async () => {
      while (!isOver) {
        const line = openLine(program.base)
        const reply = await line.send('POST', '/api/v4/leads', [{ name: 'Lead' }], headers).catch(() => null)
        if (reply?.status === 200) acknowledged.push(reply.body._embedded.leads[0].id)
        line.close()
      }
    }
    const writers = Array.from({ length: 8 }, write)
    // The first is the leader, which runs the queues.
    for (const pid of pids) {
      const before = acknowledged.length
      await expect.poll(() => acknowledged.length).toBeGreaterThan(before + 20)
      process.kill(pid, 'SIGKILL')
    }
    const before = acknowledged.length
    await expect.poll(() => acknowledged.length).toBeGreaterThan(before + 40)
    isOver = true
    await Promise.all(writers)
    const line = openLine(program.base)
    onTestFinished(() => line.close())
    for (let i = 0; i < acknowledged.length; i += 200) {
      const part = acknowledged.slice(i, i + 200)
      const ids = part.map((id, n) => `filter[id][${n}]=${id}`).join('&')
      const { body } = await line.send('GET', `/api/v4/leads?limit=250&${ids}`, undefined, headers)
      expect(body._embedded.leads.map(({ id }: { id: number }) => id).sort()).toEqual(part.sort())
    }
    await expect.poll(() => program.output().match(/a server process ended/g)).toHaveLength(2)
    // The last two have started: a process that starts without the primary reports an error.
    const started = () => program.output().match(/Server listening/g)
    await expect.poll(started).toHaveLength(4)
    line.close()
    // Without the primary, the others end, too: nobody holds their output any more. They do not end by an error, even if they
    // have a new connection, about which they write to the primary.
    const closed = once(program.child, 'close')
    const ends = Array.from({ length: 4 }, () => openLine(program.base))
    onTestFinished(() => {
      for (const one of ends) one.close()
    })
    const paused = new Set<number>()
    for (const one of ends.slice(0, 2)) paused.add(await pidOf(await one.send('GET', '/nothing')))
    for (const pid of paused) process.kill(pid, 'SIGSTOP')
    for (const one of ends.slice(2)) one.send('GET', '/nothing').catch(() => {})
    // The primary passes the connections on.
    await sleep(200)
    const ended = once(program.child, 'exit')
    process.kill(program.child.pid as number, 'SIGKILL')
    await ended
    for (const pid of paused) process.kill(pid, 'SIGCONT')
    await closed
    expect(program.output()).not.toMatch(/Error/)
  })
})

onEmbedded('Server processes stop in order when signals come until they have ended', async () => {
  const { program, lines, pidOf } = await startWorkers(2)
  const pids = await Promise.all(lines.map(async (line) => pidOf(await line.send('GET', '/nothing'))))
  for (const line of lines) line.close()
  const ended = program.stop('SIGHUP')
  const signals = setInterval(() => {
    for (const pid of pids)
      try {
        process.kill(pid, 'SIGHUP')
      } catch {
        // It has ended.
      }
  }, 1)
  onTestFinished(() => clearInterval(signals))
  expect(await ended).toBe(0)
})

/** A revoked token is refused by all processes, and the metrics are the sum of theirs. */
async function refuseRevoked({ lines, bearer, keys }: Workers, METRICS_LISTEN: string): Promise<void> {
  const statuses = (headers: { authorization: string }) =>
    Promise.all(
      lines.map(async (line) => (await line.send('GET', '/api/v4/account', undefined, headers)).status),
    )
  for (let round = 0; round < ROUNDS; round++) {
    const headers = await bearer()
    expect(await statuses(headers)).toEqual(all(200))
    const token = headers.authorization.slice('Bearer '.length)
    const at = lines[round % PROCESSES] as Line
    expect((await at.send('POST', '/oauth2/revoke', { ...keys, token })).status).toBe(200)
    expect(await statuses(headers)).toEqual(all(401))
  }
  const text = await (await fetch(`http://${METRICS_LISTEN}/metrics`)).text()
  const [, count] =
    /_seconds_count\{method="GET",route="\/api\/v4\/account",status="401"\} (\d+)/.exec(text) ?? []
  expect(Number(count)).toBe(ROUNDS * PROCESSES)
  expect(text).toMatch(/^process_start_time_seconds \d+$/m)
  // Values that only the leader reads from the database are not added up.
  expect(text.match(/^patchbay_jobs\{state="waiting"\} \d+$/gm)).toHaveLength(1)
}

/** Writes wake the live streams of the others and the queues of the leader, and streams are limited together. */
async function wakeEachOther({ program, lines, bearer, session }: Workers): Promise<void> {
  const [writer, reader] = lines as [Line, Line]
  // The writer is the leader, because it is the oldest process.
  const lead = await reader.send('POST', '/web/v4/leads', [{ name: 'Lead' }], session)
  const ids = [lead.body._embedded.leads[0].id]
  const waits: number[] = []
  for (let i = 0; i < 5; i++) {
    const asked = { entity_type: 'leads', ids, changes: { tags_to_add: [`${i}`] } }
    const { body } = await reader.send('POST', '/web/v4/jobs/bulk_changes', asked, session)
    const begun = performance.now()
    const state = async () =>
      (await writer.send('GET', `/web/v4/jobs/${body.id}`, undefined, session)).body.state
    await expect.poll(state, { interval: 20 }).toBe('done')
    waits.push(performance.now() - begun)
  }
  // Without notices, each but the first takes the three seconds after the one before.
  expect(Math.min(...waits.slice(1))).toBeLessThan(2_000)

  const headers = await bearer()
  const asking = { ...headers, accept: 'text/event-stream' }
  const stream = await reader.open('/api/v4/events', asking)
  onTestFinished(() => void stream.destroy())
  let text = ''
  stream.on('data', (chunk) => {
    text += chunk
  })
  await expect.poll(() => text).toContain('\n\n')
  const delays: number[] = []
  for (let i = 0; i < 9; i++) {
    // At another time of the second in which a stream without notices would poll.
    await sleep(37 * i)
    const added = await writer.send('POST', '/api/v4/leads', [{ name: `Lead ${i}` }], headers)
    const [lead] = added.body._embedded.leads
    const begun = performance.now()
    await expect.poll(() => text, { interval: 5 }).toContain(`"entity_id":${lead.id},`)
    delays.push(performance.now() - begun)
  }
  // Without notices, each but the first takes the rest of the second after the one before.
  expect(Math.min(...delays.slice(1))).toBeLessThan(500)

  const open = async () => {
    const line = openLine(program.base)
    onTestFinished(() => line.close())
    const opened = await line.open('/api/v4/events', asking)
    opened.resume()
    return { status: opened.statusCode, line }
  }
  const more = await Promise.all(Array.from({ length: 24 }, open))
  expect(more.filter(({ status }) => status === 200)).toHaveLength(19)
  for (const { line } of more) line.close()
  await expect.poll(async () => (await open()).status, { interval: 100 }).toBe(200)
  stream.destroy()
}

/** A write whose webhook the leader sends. Returns the id of its request, which the other process answered. */
async function causeWebhook({ lines, session }: Workers): Promise<string | undefined> {
  const hook = await receiver()
  const subscription = { destination: `${hook.url}/hook`, settings: ['add_lead'] }
  await lines[0]?.send('POST', '/web/v4/webhooks', subscription, session)
  const added = await lines[1]?.send('POST', '/web/v4/leads', [{ name: 'A' }], session)
  await expect.poll(() => hook.received.length).toBe(1)
  return added?.request_id
}

/** The spans of all processes were exported, the last ones when they stopped. */
function expectSpans(
  { posts, spans }: Awaited<ReturnType<typeof collector>>,
  request_id: string | undefined,
): void {
  expect(new Set(posts.map(({ path }) => path))).toEqual(new Set(['/custom/traces']))
  const request = spans.find(({ attributes }) => attributes['patchbay.request_id'] === request_id)
  const attempts = spans.filter(({ name, traceId }) => name === 'POST' && traceId === request?.traceId)
  expect(attempts).toMatchObject([{ parentSpanId: request?.spanId }])
  expect(attempts[0]?.resource['process.pid']).not.toBe(request?.resource['process.pid'])
  const answers = spans.filter(({ name }) => name === 'GET /api/v4/account')
  expect(new Set(answers.map(({ resource }) => resource['process.pid'])).size).toBe(2)
}

/** Their port is taken, and after a signal they answer what has begun and end. */
async function stopTogether({ program, env, bearer }: Workers): Promise<void> {
  expect(program.output().match(/Patchbay is listening/g)).toHaveLength(1)
  const port = new URL(program.base).port
  // It also warns that another server uses the embedded database.
  const settings = { PORT: port, METRICS_LISTEN: 'off', LOG_LEVEL: 'error' }
  const taken = await runProgram(['serve'], { ...env, ...settings })
  expect(taken).toEqual({
    code: 1,
    stdout: '',
    stderr: `PORT ${port} of 127.0.0.1 is in use by another program.\n`,
  })
  const headers = await bearer()
  let answered = 0
  let isStopping = false
  const ask = async () => {
    for (;;) {
      const line = openLine(program.base)
      try {
        const { status, body } = await line.send('GET', '/api/v4/account', undefined, {
          ...headers,
          connection: 'close',
        })
        expect([status, status === 200 ? '' : body]).toEqual([200, ''])
        answered++
      } catch (error) {
        if (isStopping && 'code' in Object(error)) return
        throw error
      } finally {
        line.close()
      }
    }
  }
  const callers = Promise.all(Array.from({ length: 4 }, ask))
  await expect.poll(() => answered).toBeGreaterThan(50)
  isStopping = true
  expect(await program.stop('SIGTERM')).toBe(0)
  await callers
  const logged = () => program.output().match(/"route":"\/api\/v4\/account","status":"200"/g)?.length
  await expect.poll(logged).toBe(answered)
}
