import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { freePort } from '../../src/commands/ports.ts'
import { kindOfRun } from '../databases/databases.ts'
import { type OwnPostgres, startPostgres } from '../databases/postgres.ts'
import { createHub, readDelivered } from '../fixtures/chat-hub.ts'
import { isLong, times } from '../long.ts'
import { breaches, nothing, openChats, startChatLoad } from './chat-load.ts'
import { followAddedLeads } from './event-tail.ts'

/** Stops of PostgreSQL under load, each for a moment, and the last one for longer. */
const STOPS = times(1, 21)
const AWAY_MS = times(1_500, 60_000)
const SHORTEST_MS = 500
const CONVERSATIONS = times(16, 40)
/** Each sends one request after the other. */
const CALLERS = 6
/** Answers between two stops at least. */
const SERVED = 10
/** A request that has no answer by then hangs: a lost connection is given up after ten seconds. */
const HANGS_MS = 30_000
const PATIENCE_MS = 60_000
const PATIENCE = { timeout: PATIENCE_MS, interval: 20 }

/** The outcomes of the requests of the callers. */
interface Met {
  /** Names of leads whose write was answered with 200. */
  written: string[]
  /** Reads that were answered. */
  read: number
  /** Refusals with a time to come again. */
  refused: number
  /** Other failures: other statuses, a 503 without Retry-After, no answer. */
  other: string[]
  slowest_ms: number
}

/** Callers that write and read leads until they are stopped; nothing is sent twice. */
function startCallers(base: string, headers: Record<string, string>) {
  const met: Met = { written: [], read: 0, refused: 0, other: [], slowest_ms: 0 }
  let isOver = false
  const ask = async (name: string | null) => {
    const began = performance.now()
    const init = name === null ? {} : { method: 'POST', body: JSON.stringify([{ name }]) }
    const answer = await fetch(`${base}/web/v4/leads?limit=10`, {
      ...init,
      headers: { ...headers, 'content-type': 'application/json' },
      signal: AbortSignal.timeout(HANGS_MS),
    }).catch((error) => error as Error)
    met.slowest_ms = Math.max(met.slowest_ms, performance.now() - began)
    if (answer instanceof Error) return void met.other.push(`no answer: ${answer.message}`)
    const body = await answer.text()
    if (answer.status === 503 && answer.headers.has('retry-after')) {
      met.refused++
      return sleep(50)
    }
    if (answer.status !== 200 && answer.status !== 204)
      met.other.push(`${answer.status}: ${body.slice(0, 200)}`)
    else if (name === null) met.read++
    else met.written.push(name)
  }
  const callers = Array.from({ length: CALLERS }, async (_, caller) => {
    for (let n = 0; !isOver; n++) await ask(n % 2 === 0 ? `lead ${caller} ${n}` : null)
  })
  const stop = async () => {
    isOver = true
    await Promise.all(callers)
  }
  return { met, stop }
}

/** The leads that are kept, by id. */
async function readLeads(base: string, headers: Record<string, string>): Promise<Map<number, string>> {
  const leads = new Map<number, string>()
  for (let page = 1; ; page++) {
    const answer = await fetch(`${base}/web/v4/leads?limit=250&page=${page}`, { headers })
    if (answer.status === 204) return leads
    if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`)
    const { _embedded } = (await answer.json()) as { _embedded: { leads: { id: number; name: string }[] } }
    for (const { id, name } of _embedded.leads) leads.set(id, name)
  }
}

async function placeOn({ server, url }: OwnPostgres) {
  await server.createDatabase('patchbay')
  const data_dir = mkdtempSync(join(tmpdir(), 'patchbay-data-'))
  onTestFinished(() => rmSync(data_dir, { recursive: true, force: true }))
  return { database_url: `${url}/patchbay`, data_dir }
}

test.runIf(kindOfRun() === 'postgres')(
  `PostgreSQL stops under load (${STOPS}), the last time for ${AWAY_MS / 1000} s: requests are refused and nothing is lost`,
  { timeout: 1_200_000 },
  async () => {
    const postgres = await startPostgres({})
    onTestFinished(postgres.end)
    const operator = `127.0.0.1:${await freePort()}`
    const hub = await createHub(await placeOn(postgres), { METRICS_LISTEN: operator, CLOCK_SPEED: '1' })
    const program = await hub.start()
    const headers = await hub.signIn()
    const tail = await followAddedLeads(hub.base, headers)
    const chats = startChatLoad(hub, await openChats(hub, CONVERSATIONS))
    const callers = startCallers(hub.base, headers)
    const { met } = callers
    const readiness = async () => (await fetch(`http://${operator}/readyz`)).status
    const served = () => Math.min(met.written.length, met.read, chats.known.written.length)

    for (let stop = 0; stop < STOPS; stop++) {
      const [before, refused] = [served(), met.refused]
      await vi.waitFor(() => expect(served()).toBeGreaterThanOrEqual(before + SERVED), PATIENCE)
      await sleep(Math.random() * 100)
      await postgres.stopAtOnce()
      await vi.waitFor(async () => expect(await readiness()).toBe(503), PATIENCE)
      await sleep(stop === STOPS - 1 ? AWAY_MS : Math.random() * SHORTEST_MS)
      await vi.waitFor(() => expect(met.refused).toBeGreaterThan(refused), PATIENCE)
      expect((await fetch(`${hub.base}/healthz`)).status).toBe(200)
      await postgres.startAgain()
      await vi.waitFor(async () => expect(await readiness()).toBe(200), PATIENCE)
    }
    const last = met.written.length
    await vi.waitFor(() => expect(met.written.length).toBeGreaterThan(last), PATIENCE)
    await Promise.all([callers.stop(), chats.stop()])

    expect(met.other).toEqual([])
    const leads = await readLeads(hub.base, headers)
    const kept = new Set(leads.values())
    expect(met.written.filter((name) => !kept.has(name))).toEqual([])
    // A write that was refused may have been kept, once.
    expect(kept.size).toBe(leads.size)
    const missed = () => {
      const sent = new Set(tail.sent.map(({ entity_id }) => entity_id))
      return [...leads].filter(([id]) => !sent.has(id))
    }
    const ofTail = () => ({ missed: missed(), sent: tail.sent.length, hasEnded: tail.hasEnded() })
    await vi.waitFor(
      () => expect(ofTail()).toEqual({ missed: [], sent: leads.size, hasEnded: false }),
      PATIENCE,
    )
    // Messages that were sent while nothing could be committed are sent again when their lease is over.
    program?.child.kill('SIGUSR2')
    const threads = await readDelivered(hub, PATIENCE_MS)
    const {
      repeated_needlessly: _,
      more_repeated_than_under_way: __,
      ...found
    } = breaches(threads, hub.arrivals, chats.known)
    const { repeated_needlessly: ___, more_repeated_than_under_way: ____, ...none } = nothing
    expect(found).toEqual(none)
    if (isLong)
      process.stdout.write(
        `${met.written.length} writes, ${met.read} reads, ${met.refused} refusals, the slowest answer after ${Math.round(met.slowest_ms)} ms; ` +
          `${chats.known.written.length} messages, ${hub.arrivals.length} arrivals, ${tail.sent.length} events sent\n`,
      )
    expect(await program?.stop()).toBe(0)
  },
)
