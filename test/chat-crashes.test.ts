import { execFileSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import {
  type Arrival,
  createHub,
  type Hub,
  readDelivered,
  readThreads,
  type StoredMessage,
} from './chat-hub.ts'
import { kindOfRun } from './databases.ts'

/** Kills at random moments (`KILLS=200`), over all hubs; the hubs run at the same time, and each waits most of it. */
const KILLS = Number(process.env.KILLS ?? 20)
const HUBS = 2
/** So many that there is always one whose last message is not leased by a process that is gone. */
const CONVERSATIONS = 200
/** Written at the same time; each writer has conversations of its own, and writes in one after the other. */
const WRITERS = 8
const LONGEST_RUN_MS = 250
/** Messages that a program acknowledges before it may be killed: what comes later is up to chance and the machine. */
const TAKEN = 5
const PATIENCE_MS = 60_000
const PATIENCE = { timeout: PATIENCE_MS, interval: 5 }
/** What one process takes of an endpoint at once: so much may be under way when it is killed. */
const UNDER_WAY = 16

const push = (conversation: number, msgid: string) => ({
  timestamp: 1_772_366_400,
  msgid,
  conversation_id: `conversation ${conversation}`,
  sender: {
    id: `customer ${conversation}`,
    name: `Customer ${conversation}`,
    avatar: 'https://shop.example/a.png',
  },
  message: { type: 'text', text: msgid },
})

interface Acknowledged {
  pushed: string[]
  /** Ids of what was written, in the order in which each conversation had it. */
  written: string[]
}

/** Writes and pushes as fast as it is answered, until it is told to stop; waits while nobody answers. */
function startLoad(hub: Hub, chats: Map<string, string>): { known: Acknowledged; stop(): Promise<void> } {
  const known: Acknowledged = { pushed: [], written: [] }
  let isOver = false
  const names = [...chats.keys()]
  const write = async (writer: number) => {
    for (let n = 0; !isOver; n++) {
      const name = names[(writer + n * WRITERS) % names.length] as string
      const text = `${name}, ${n}`
      const answer = await hub.ask('POST', `/web/v4/chats/${chats.get(name)}/messages`, { text })
      if (answer?.status === 200) known.written.push(answer.body.id)
      // What was refused by a program that comes or goes is asked for no more; it may have been kept all the same.
      else await sleep(20)
    }
  }
  const pushAll = async () => {
    for (let n = 0; !isOver; n++) {
      const msgid = `push ${n}`
      // Until it is answered: whether the program died before or after it kept it, it is one message.
      while ((await hub.push(push(n % CONVERSATIONS, msgid)))?.status !== 200 && !isOver) await sleep(20)
      if (!isOver) known.pushed.push(msgid)
    }
  }
  const loops = [pushAll(), ...Array.from({ length: WRITERS }, (_, writer) => write(writer))]
  const stop = async () => {
    isOver = true
    await Promise.all(loops)
  }
  return { known, stop }
}

/** Conversations, each with its first message; by their names, with our ids. */
async function openChats(hub: Hub, count: number): Promise<Map<string, string>> {
  for (let n = 0; n < count; n++) expect((await hub.push(push(n, `first ${n}`)))?.status).toBe(200)
  const list = await hub.ask('GET', '/web/v4/chats?limit=250')
  return new Map(
    list?.body._embedded.chats.map(({ id, conversation_id }: Record<string, string>) => [
      conversation_id,
      id,
    ]),
  )
}

/** What nothing may be found in: each a rule of C7, broken by these. */
function breaches(threads: Map<string, StoredMessage[]>, arrivals: Arrival[], known: Acknowledged) {
  const all = [...threads.values()].flat()
  const out = all.filter(({ direction }) => direction === 'out')
  const [ids, arrived] = [new Set(out.map(({ id }) => id)), new Set(arrivals.map((one) => one.message_id))]
  const pushes = all.filter(({ direction }) => direction === 'in').map(({ text }) => text)
  const byMessage = Map.groupBy(arrivals, (one) => one.message_id)
  return {
    written_and_lost: known.written.filter((id) => !ids.has(id)),
    pushed_and_lost: known.pushed.filter((text) => !pushes.includes(text)),
    pushed_twice: pushes.filter((text, i) => pushes.indexOf(text) !== i),
    undelivered: out.filter(({ id, state }) => state !== 'delivered' || !arrived.has(id)),
    sent_and_not_kept: arrivals.filter((one) => !ids.has(one.message_id)),
    out_of_order: [...threads].flatMap(([name, thread]) => disorder(name, thread, arrivals)),
    webhook_ids_that_changed: [...byMessage.values()].filter(
      (tries) => new Set(tries.map((one) => one.webhook_id)).size > 1,
    ),
    webhook_ids_of_several: [...Map.groupBy(arrivals, (one) => one.webhook_id).values()].filter(
      (tries) => new Set(tries.map((one) => one.message_id)).size > 1,
    ),
    // Sent twice by one process: then it was not under way when that died.
    repeated_needlessly: [...byMessage.values()].filter(
      (tries) => new Set(tries.map(({ run }) => run)).size < tries.length,
    ),
    more_repeated_than_under_way: [
      ...Map.groupBy(
        [...byMessage.values()].flatMap((tries) => tries.slice(0, -1)),
        ({ run }) => run,
      ).values(),
    ].filter((repeated) => repeated.length > UNDER_WAY),
  }
}

/** A repetition comes right behind what it repeats: but for these the arrivals are the thread. */
function disorder(name: string, thread: StoredMessage[], arrivals: Arrival[]): string[] {
  const came = arrivals.filter(({ conversation }) => conversation === name).map((one) => one.message_id)
  const once = came.filter((id, i) => id !== came[i - 1])
  const kept = thread.filter(({ direction }) => direction === 'out').map(({ id }) => id)
  return once.length === kept.length && once.every((id, i) => id === kept[i]) ? [] : [name]
}

const nothing = {
  written_and_lost: [],
  pushed_and_lost: [],
  pushed_twice: [],
  undelivered: [],
  sent_and_not_kept: [],
  out_of_order: [],
  webhook_ids_that_changed: [],
  webhook_ids_of_several: [],
  repeated_needlessly: [],
  more_repeated_than_under_way: [],
}

/** Kills one hub's program so often under load; answers what was found, and how much there was to lose. */
async function killAtRandom(kills: number) {
  const hub = await createHub()
  const first = await hub.start()
  const chats = await openChats(hub, CONVERSATIONS)
  // In peace: what it has compiled is kept for those that come.
  await first?.stop()
  const { known, stop } = startLoad(hub, chats)
  for (let kill = 0; kill < kills; kill++) {
    const [written, pushed] = [known.written.length, known.pushed.length]
    const program = await hub.start()
    // Some are killed before they have answered anything, the others when they have taken a push and some messages.
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

/** Has the program killed when it asks for the nth time that what it wrote be on the disk. */
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
  test('are judged by what breaks each rule', () => {
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

  test(`${KILLS} times at random moments under load are all delivered, in order, and known again`, async () => {
    const hubs = await Promise.all(Array.from({ length: HUBS }, () => killAtRandom(KILLS / HUBS)))
    expect(hubs.map(({ found }) => found)).toEqual(hubs.map(() => nothing))
    for (const { known, arrivals } of hubs) {
      expect(arrivals).toBeGreaterThanOrEqual(known.written.length)
    }
  }, 1_200_000)

  // The embedded database is what syncs by itself; PostgreSQL does that in processes of its own.
  test.runIf(kindOfRun() === 'sqlite' && hasStrace)(
    'at each fsync between a start and the last delivery',
    async () => {
      const hub = await createHub()
      const first = await hub.start()
      const chats = await openChats(hub, 2)
      await first?.stop()
      const known: Acknowledged = { pushed: [], written: [] }
      let n = 0
      for (let isAlive = false; !isAlive; ) {
        n++
        const program = await hub.start(killedAtSync(n))
        if (!program) continue
        isAlive = await writeSome(hub, chats, n, known)
        await program.stop('SIGKILL')
      }
      const last = await hub.start()
      expect(breaches(await readDelivered(hub, PATIENCE_MS), hub.arrivals, known)).toEqual(nothing)
      await last?.stop()
      // A push, and two messages written; at the least they are taken together, and ended together.
      expect(n).toBeGreaterThan(5)
    },
    1_200_000,
  )
})

/** A push, a message written in each conversation, and the wait for their delivery; whether the program lived through it. */
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
