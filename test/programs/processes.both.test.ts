import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { kindOfRun } from '../databases/databases.ts'
import { foundAccount } from '../fixtures/founding.ts'
import { openWebSession, signIn } from '../fixtures/web-session.ts'
import { runsOn, times } from '../long.ts'
import { patiently } from '../patiently.ts'
import { type EventTail, followAddedLeads } from './event-tail.ts'
import { lastingPort, type Program, startProgram } from './program.ts'

const PARALLEL = 50
const ROUNDS = times(2, 200)
const REDIRECT_URI = 'https://shop.example/oauth'
const agent = new Agent({ keepAlive: true, maxSockets: 64 })

interface Answer {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: the bodies of several routes
  body: any
}

function send(
  base: string,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const text = body === undefined ? '' : JSON.stringify(body)
  return new Promise((resolve, reject) => {
    const asked = request(`${base}${path}`, {
      method,
      agent,
      headers: { ...(text && { 'content-type': 'application/json' }), ...headers },
    })
    asked.on('error', reject)
    asked.on('response', async (response) => {
      let answer = ''
      for await (const chunk of response) answer += chunk
      resolve({
        status: response.statusCode ?? 0,
        body: answer.startsWith('{') ? JSON.parse(answer) : answer,
      })
    })
    asked.end(text)
  })
}

/** Programs beside each other. On the embedded database, that is for an upgrade without a pause. */
const PROGRAMS = kindOfRun() === 'postgres' ? times(2, 4) : 2

/** Separate programs on one database, with a signed-in administrator. */
async function crowd() {
  const { env, admin } = await foundAccount()
  const programs = []
  for (let i = 0; i < PROGRAMS; i++) programs.push(await startProgram('serve', env))
  const servers = programs.map(({ base }) => base)
  const browser = await openWebSession(servers[0] as string, admin)
  const saved = await browser('POST', '/web/integrations', { name: 'Shop', redirect_uri: REDIRECT_URI })
  const keys = { ...saved.body.keys, redirect_uri: REDIRECT_URI }
  const server = (i: number) => servers[i % servers.length] as string
  return {
    browser,
    keys,
    server,
    freshCode: async () =>
      (await browser('POST', '/web/installations', { client_id: keys.client_id })).body.code,
    exchange: (i: number, code: string) =>
      patiently(() =>
        send(server(i), 'POST', '/oauth2/access_token', { ...keys, grant_type: 'authorization_code', code }),
      ),
    refresh: (i: number, refresh_token: string) =>
      patiently(() =>
        send(server(i), 'POST', '/oauth2/access_token', {
          ...keys,
          grant_type: 'refresh_token',
          refresh_token,
        }),
      ),
    call: async (i: number, token: string) =>
      (await send(server(i), 'GET', '/api/v4/account', undefined, { authorization: `Bearer ${token}` }))
        .status,
  }
}

const all = <T>(value: T): T[] => Array(PROGRAMS).fill(value)
const together = <T>(n: number, ask: (i: number) => Promise<T>) =>
  Promise.all(Array.from({ length: n }, (_, i) => ask(i)))

test.runIf(runsOn('postgres'))(
  `${PROGRAMS} separate programs, ${ROUNDS} rounds of ${PARALLEL} parallel requests: one success, one child, and no revoked token`,
  async () => {
    const { browser, keys, exchange, freshCode, refresh, call } = await crowd()
    for (let round = 0; round < ROUNDS; round++) {
      const code = await freshCode()
      const answers = await together(PARALLEL, (i) => exchange(i, code))
      expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(PARALLEL - 1).fill(400)])
    }

    // Bodies are equal except for the elapsed time.
    let { refresh_token } = (await exchange(0, await freshCode())).body
    for (let round = 0; round < ROUNDS; round++) {
      const answers = await together(PARALLEL, (i) => refresh(i, refresh_token))
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
      const children = answers.map(({ body }) => `${body.access_token} ${body.refresh_token}`)
      expect(new Set(children).size).toBe(1)
      refresh_token = answers[0]?.body.refresh_token
    }

    for (let round = 0; round < times(2, 20); round++) {
      const { access_token } = (await exchange(round, await freshCode())).body
      expect(await together(PROGRAMS, (i) => call(i, access_token))).toEqual(all(200))
      expect((await browser('POST', `/web/installations/${keys.client_id}/disable`)).status).toBe(204)
      // In every program immediately, not after 100 ms.
      expect(await together(PROGRAMS, (i) => call(i, access_token))).toEqual(all(401))
    }
  },
  240_000,
)

/** Programs that can be killed and started again, each at its own address. */
async function startPrograms() {
  const { env, admin } = await foundAccount()
  const start = () => startProgram('serve', { ...env, PORT: lastingPort() })
  const programs: Program[] = []
  for (let i = 0; i < PROGRAMS; i++) programs.push(await start())
  const baseOf = (i: number) => programs[i % PROGRAMS]?.base as string
  return {
    baseOf,
    headers: await signIn(baseOf(0), admin),
    kill: (i: number) => programs[i]?.stop('SIGKILL'),
    restart: async (i: number) => {
      programs[i] = await startProgram('serve', { ...env, PORT: new URL(baseOf(i)).port })
    },
  }
}

const WRITERS = 6
/** Acknowledged writes before each kill. */
const WRITTEN = 20

/** Adds leads by turns through all programs. Returns the ids of those whose write was answered with 200. */
function startWriting(baseOf: (i: number) => string, headers: Record<string, string>) {
  const acknowledged: number[] = []
  let isOver = false
  const write = async (at: number) => {
    const answer = await fetch(`${baseOf(at)}/web/v4/leads`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify([{ name: 'Lead' }]),
    }).catch(() => null)
    const body = (await answer?.json().catch(() => null)) as Answer['body']
    if (answer?.status === 200 && body) acknowledged.push(body._embedded.leads[0].id)
    else await sleep(50)
  }
  const writers = Array.from({ length: WRITERS }, async (_, writer) => {
    for (let n = writer; !isOver; n++) await write(n)
  })
  const stop = async () => {
    isOver = true
    await Promise.all(writers)
  }
  return { acknowledged, stop }
}

const KILLS = times(1, 20)

test.runIf(runsOn('postgres'))(
  `${PROGRAMS} separate programs, ${KILLS} kills: each acknowledged write is kept, and streams send each event once`,
  async () => {
    const { baseOf, headers, kill, restart } = await startPrograms()
    const victimOf = (round: number) => 1 + (round % (PROGRAMS - 1))
    // One stream stays with a program that is never killed. The other is always at the next victim, and resumes elsewhere.
    const steady = await followAddedLeads(baseOf(0), headers)
    let tail = await followAddedLeads(baseOf(victimOf(0)), headers)
    const moving: EventTail['sent'] = []
    const { acknowledged, stop } = startWriting(baseOf, headers)
    const patience = { timeout: 60_000, interval: 20 }
    for (let round = 0; round < KILLS; round++) {
      const before = acknowledged.length
      await expect.poll(() => acknowledged.length, patience).toBeGreaterThan(before + WRITTEN)
      await expect.poll(() => tail.sent.length, patience).toBeGreaterThan(0)
      await kill(victimOf(round))
      await expect.poll(tail.hasEnded, patience).toBe(true)
      moving.push(...tail.sent)
      await restart(victimOf(round))
      tail = await followAddedLeads(baseOf(victimOf(round + 1)), headers, moving.at(-1)?.id)
    }
    const before = acknowledged.length
    await expect.poll(() => acknowledged.length, patience).toBeGreaterThan(before + WRITTEN)
    await stop()
    const idsOf = (sent: EventTail['sent']) => sent.map(({ id }) => id)
    await expect
      .poll(() => steady.sent.map(({ entity_id }) => entity_id), patience)
      .toEqual(expect.arrayContaining(acknowledged))
    await expect.poll(() => moving.length + tail.sent.length, patience).toBe(steady.sent.length)
    expect(idsOf([...moving, ...tail.sent])).toEqual(idsOf(steady.sent))
    expect(new Set(idsOf(steady.sent)).size).toBe(steady.sent.length)
    expect(steady.hasEnded()).toBe(false)
  },
  600_000,
)
