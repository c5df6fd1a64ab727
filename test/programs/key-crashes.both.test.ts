import { setTimeout as sleep } from 'node:timers/promises'
import { expect, vi } from 'vitest'
import { onEmbedded } from '../databases/on-embedded.ts'
import { foundAccount } from '../fixtures/founding.ts'
import { signIn } from '../fixtures/web-session.ts'
import { isLong, times } from '../long.ts'
import { lastingPort, startProgram } from './program.ts'

const KILLS = times(2, 200)
const MOST_KILLS = KILLS + 40
/** Each sends one write after the other. In the short form more of them, so that few kills interrupt writes at both times. */
const WRITERS = times(24, 8)
/** Answered keys before a kill. The rest depends on chance and the machine. */
const ANSWERED = 5
const LONGEST_RUN_MS = 150
/** The maximum delay after which an impatient client, as in every fourth request, repeats the request. */
const LONGEST_PATIENCE_MS = 30
const LONGEST_ABSENCE_MS = 200
const PATIENCE = { timeout: 60_000, interval: 5 }

type Drafts = (name: string) => object[]

/**
 * The kinds of writes: their address, and the name in each listed row. Each row has the name of its write and a number.
 */
const kinds: Record<string, { path: string; drafts: Drafts; nameOf(row: Row): string }> = {
  leads: {
    path: 'leads',
    drafts: (name) => [{ name: `${name} 1` }, { name: `${name} 2` }],
    nameOf: (row) => row.name,
  },
  contacts: { path: 'contacts', drafts: (name) => [{ name: `${name} 1` }], nameOf: (row) => row.name },
  tasks: {
    path: 'tasks',
    drafts: (name) => [{ text: `${name} 1`, complete_till: 4_000_000_000 }],
    nameOf: (row) => row.text,
  },
}

// biome-ignore lint/suspicious/noExplicitAny: the rows of several lists
type Row = any

/** One key and its outcomes. */
interface Keyed {
  kind: string
  name: string
  /** Statuses of refusals that a retry should never get. */
  refusals: number[]
  /** The different bodies that were returned. */
  answers: Set<string>
  /** The programs that received it, by number. */
  runs: Set<number>
  /** Whether the first received answer was a stored one. */
  isReplayed: boolean
}

/** A client with keys retries without an answer, or if the answer has a retry time. */
const RETRIED = new Set([undefined, 409, 503])

type Send = (path: string, init?: RequestInit) => Promise<Response | undefined>

const oneIn = (n: number) => Math.random() < 1 / n

/** Writes with a key until there is an answer, and in every fourth case once more. */
async function writeOnce(send: Send, run: () => number, kind: string, name: string): Promise<Keyed> {
  const { path, drafts } = kinds[kind] as (typeof kinds)[string]
  const keyed: Keyed = {
    ...{ kind, name, refusals: [], answers: new Set(), runs: new Set(), isReplayed: false },
  }
  const init = { method: 'POST', headers: { 'idempotency-key': name }, body: JSON.stringify(drafts(name)) }
  for (let left = oneIn(4) ? 2 : 1; left > 0; ) {
    keyed.runs.add(run())
    const patience = oneIn(4) ? Math.random() * LONGEST_PATIENCE_MS : 60_000
    const answer = await send(path, { ...init, signal: AbortSignal.timeout(Math.ceil(patience)) })
    const body = await answer?.text().catch(() => undefined)
    const status = body === undefined ? undefined : answer?.status
    if (status === 200) {
      if (keyed.answers.size === 0) keyed.isReplayed = answer?.headers.get('idempotency-replayed') === 'true'
      keyed.answers.add(body as string)
      left--
    } else {
      if (!RETRIED.has(status)) keyed.refusals.push(status as number)
      await sleep(Math.random() * LONGEST_ABSENCE_MS)
    }
  }
  return keyed
}

/** Writes as fast as possible until it is stopped, and then completes every started key. */
function startLoad(send: Send, run: () => number) {
  const all: Keyed[] = []
  let isOver = false
  const names = Object.keys(kinds)
  const writers = Array.from({ length: WRITERS }, async (_, writer) => {
    for (let n = 0; !isOver; n++)
      all.push(await writeOnce(send, run, names[n % names.length] as string, `write ${writer} ${n}`))
  })
  const stop = async () => {
    isOver = true
    await Promise.all(writers)
  }
  return { all, stop }
}

/** How often each row was written, by name. */
async function effects(send: Send): Promise<Map<string, number>> {
  const found = new Map<string, number>()
  for (const { path, nameOf } of Object.values(kinds)) {
    for (let page = 1; ; page++) {
      const answer = await send(`${path}?limit=250&page=${page}`)
      if (answer?.status !== 200) break
      const { _embedded } = (await answer.json()) as { _embedded: Record<string, Row[]> }
      for (const row of _embedded[path] as Row[]) found.set(nameOf(row), (found.get(nameOf(row)) ?? 0) + 1)
    }
  }
  return found
}

onEmbedded(
  `after at least ${KILLS} kills under load, each retried Idempotency-Key has one effect and one answer`,
  {
    timeout: 1_800_000,
  },
  async () => {
    const { env, admin } = await foundAccount()
    const PORT = lastingPort()
    const start = () => startProgram('serve', { ...env, PORT, LOG_LEVEL: 'error' })
    let program = await start()
    const headers = { ...(await signIn(program.base, admin)), 'content-type': 'application/json' }
    const { base } = program
    const send: Send = (path, init) =>
      fetch(`${base}/web/v4/${path}`, { ...init, headers: { ...headers, ...init?.headers } }).catch(
        () => undefined,
      )
    let kill = 0
    const { all, stop } = startLoad(send, () => kill)
    // Some kills come before the commit of a write, and some between its commit and the answer: both are needed.
    const interrupted = (isReplayed: boolean) =>
      all.filter((keyed) => keyed.runs.size > 1 && keyed.isReplayed === isReplayed).length
    const hasBoth = () => interrupted(true) > 0 && interrupted(false) > 0
    for (; kill < KILLS || (!hasBoth() && kill < MOST_KILLS); kill++) {
      const before = all.length
      await vi.waitFor(() => expect(all.length).toBeGreaterThanOrEqual(before + ANSWERED), PATIENCE)
      await sleep(Math.random() * LONGEST_RUN_MS)
      await program.stop('SIGKILL')
      program = await start()
    }
    await stop()

    const found = await effects(send)
    const expected = all.flatMap(({ kind, name }) =>
      (kinds[kind] as (typeof kinds)[string]).drafts(name).map((_draft, i) => `${name} ${i + 1}`),
    )
    expect([...found].filter(([, count]) => count > 1)).toEqual([])
    expect(expected.filter((name) => !found.has(name))).toEqual([])
    expect(found.size).toBe(expected.length)
    expect(all.filter(({ refusals, answers }) => refusals.length > 0 || answers.size > 1)).toEqual([])
    expect(hasBoth()).toBe(true)
    if (isLong)
      process.stdout.write(
        `${all.length} keys; a kill interrupted ${interrupted(false)} before and ${interrupted(true)} after their commit\n`,
      )
  },
)
