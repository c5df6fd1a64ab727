import { execFileSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import { kindOfRun } from '../databases/databases.ts'
import {
  type Arrival,
  createHub,
  type Hub,
  readDelivered,
  readThreads,
  type StoredMessage,
} from '../fixtures/chat-hub.ts'
import { runsOn, times } from '../long.ts'
import { type Acknowledged, breaches, nothing, openChats, push, startChatLoad } from './chat-load.ts'

/** Kills at random times, across all hubs. The hubs run in parallel and mostly wait. */
const KILLS = times(2, 200)
const HUBS = times(1, 2)
/** Enough that the last message of some conversation is never leased by a dead process. */
const CONVERSATIONS = times(24, 200)
/** In the short form, every twelfth fsync is the last one, beginning with a random one. */
const STRIDE = times(12, 1)
/** Fewer than any start has. */
const FIRST = times(6, 1)
const LONGEST_RUN_MS = 250
/** Messages that a program acknowledges before it can be killed. The rest depends on chance and the machine. */
const TAKEN = 5
/** The long form kills two programs of hundreds of conversations beside other tests. */
const PATIENCE_MS = times(60_000, 300_000)
const PATIENCE = { timeout: PATIENCE_MS, interval: 5 }

/** Kills one hub's program repeatedly under load. Returns the violations and the amount of data at risk. */
async function killAtRandom(hub: Hub, kills: number) {
  const first = await hub.start()
  const chats = await openChats(hub, CONVERSATIONS)
  // Ends normally, so that its compile cache is written for the following runs.
  await first?.stop()
  const { known, stop } = startChatLoad(hub, chats)
  for (let kill = 0; kill < kills; kill++) {
    const [written, pushed] = [known.written.length, known.pushed.length]
    const program = await hub.start()
    // Some programs are killed before their first answer, the others after a push and some messages.
    if (kill % 4 > 0)
      await vi.waitFor(() => {
        expect(known.written.length).toBeGreaterThanOrEqual(written + TAKEN)
        expect(known.pushed.length).toBeGreaterThan(pushed)
      }, PATIENCE)
    await sleep(Math.random() * LONGEST_RUN_MS)
    await program?.stop('SIGKILL')
  }
  const last = await hub.start()
  await stop()
  const threads = await readDelivered(hub, PATIENCE_MS)
  await last?.stop()
  return { found: breaches(threads, hub.arrivals, known), known, arrivals: hub.arrivals.length }
}

const hasStrace = (() => {
  try {
    return execFileSync('strace', ['-V'], { encoding: 'utf8' }).startsWith('strace')
  } catch {
    return false
  }
})()

/** Kills the program at its nth fsync. */
const killedAtSync = (n: number) => [
  ...['strace', '-D', '-f', '-qq', '-o', '/dev/null', '-e', 'trace=fsync,fdatasync'],
  ...['-e', `inject=fsync,fdatasync:signal=SIGKILL:when=${n}`],
]

const stored = (n: number, over: Partial<StoredMessage> = {}): StoredMessage => {
  const message = { id: `m${n}`, direction: 'out', text: `${n}`, state: 'delivered', position: n } as const
  return { ...message, ...over }
}
const arrival = (n: number, over: Partial<Arrival> = {}): Arrival => {
  const one = { run: 1, conversation: 'a', text: `${n}`, webhook_id: `del_${n}`, message_id: `m${n}` }
  return { ...one, ...over }
}

describe('Messages of a program that is killed', () => {
  test('are checked with a rule for each violation', () => {
    const thread = [stored(1), stored(2), stored(3, { direction: 'in', text: 'push' }), stored(4)]
    const known = { written: ['m1', 'm2', 'm4'], pushed: ['push'] }
    const judge = (messages: StoredMessage[], arrivals: Arrival[]) => {
      const found = Object.entries(breaches(new Map([['a', messages]]), arrivals, known))
      return found.flatMap(([rule, broken]) => (broken.length > 0 ? [rule] : []))
    }
    const all = [arrival(1), arrival(2), arrival(4)]
    const [one, two, four] = all as [Arrival, Arrival, Arrival]
    const again = arrival(2, { run: 2 })
    expect(judge(thread, all)).toEqual([])
    expect(judge(thread, [one, two, again, four])).toEqual([])
    expect(judge(thread, [one, two, two, four])).toEqual(['repeated_needlessly'])
    expect(judge(thread, [two, one, four])).toEqual(['out_of_order'])
    expect(judge(thread, [one, two, four, again])).toEqual(['out_of_order'])
    expect(judge(thread, [one, four])).toEqual(['undelivered', 'out_of_order'])
    expect(judge([stored(1, { state: 'pending' }), ...thread.slice(1)], all)).toEqual(['undelivered'])
    expect(judge(thread.slice(0, 3), [one, two])).toEqual(['written_and_lost'])
    expect(judge(thread.slice(0, 3), all)).toEqual(['written_and_lost', 'sent_and_not_kept', 'out_of_order'])
    expect(judge(thread.toSpliced(2, 1), all)).toEqual(['pushed_and_lost'])
    expect(judge([...thread, stored(5, { direction: 'in', text: 'push' })], all)).toEqual(['pushed_twice'])
    const renamed = { ...again, webhook_id: 'del_9' }
    expect(judge(thread, [one, two, renamed, four])).toEqual(['webhook_ids_that_changed'])
    expect(judge(thread, [one, { ...two, webhook_id: 'del_1' }, four])).toEqual(['webhook_ids_of_several'])
  })

  test.runIf(runsOn('postgres'))(
    `${KILLS} times at random moments under load are all delivered in order and recognised again`,
    async () => {
      const created: Hub[] = []
      while (created.length < HUBS) created.push(await createHub())
      const hubs = await Promise.all(created.map((hub) => killAtRandom(hub, KILLS / HUBS)))
      expect(hubs.map(({ found }) => found)).toEqual(hubs.map(() => nothing))
      for (const { known, arrivals } of hubs) {
        expect(arrivals).toBeGreaterThanOrEqual(known.written.length)
      }
    },
    1_200_000,
  )

  // SQLite syncs in the program itself. PostgreSQL does so in its own processes.
  test.runIf(kindOfRun() === 'sqlite' && hasStrace)(
    'at each fsync between a start and the last delivery',
    async () => {
      const hub = await createHub()
      const first = await hub.start()
      const chats = await openChats(hub, 2)
      await first?.stop()
      const known: Acknowledged = { pushed: [], written: [] }
      let n = 1 + Math.floor(Math.random() * FIRST)
      let kills = 0
      for (let isAlive = false; !isAlive; n += STRIDE) {
        const program = await hub.start(killedAtSync(n))
        if (program) {
          isAlive = await writeSome(hub, chats, n, known)
          await program.stop('SIGKILL')
        }
        if (!isAlive) kills++
      }
      const last = await hub.start()
      expect(breaches(await readDelivered(hub, PATIENCE_MS), hub.arrivals, known)).toEqual(nothing)
      await last?.stop()
      // A push and two messages. At least, they are leased together and finished together.
      expect(n).toBeGreaterThan(5)
      expect(kills).toBeGreaterThan(0)
    },
    1_200_000,
  )
})

/**
 * Pushes, writes a message in each conversation, and waits for the deliveries. Returns whether the program survived.
 */
async function writeSome(
  hub: Hub,
  chats: Map<string, string>,
  n: number,
  known: Acknowledged,
): Promise<boolean> {
  const msgid = `push ${n}`
  if ((await hub.push(push(0, msgid)))?.status === 200) known.pushed.push(msgid)
  for (const id of chats.values()) {
    const answer = await hub.ask('POST', `/web/v4/chats/${id}/messages`, { text: `${n}` })
    if (answer?.status === 200) known.written.push(answer.body.id)
  }
  for (const until = Date.now() + PATIENCE_MS; Date.now() < until; await sleep(20)) {
    const threads = await readThreads(hub).catch(() => undefined)
    if (!threads) return false
    if ([...threads.values()].flat().every(({ state }) => state !== 'pending')) return true
  }
  return false
}
