import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import type { Arrival, Hub, StoredMessage } from '../fixtures/chat-hub.ts'

/** Parallel writers. Each has its own conversations and writes into them in turn. */
const WRITERS = 8
/**
 * The deliveries to one fast endpoint that a process claims. It sends a part of them in parallel and records the outcomes in
 * batches, so a kill can interrupt this many, most of them only while a slow machine waits for the disk.
 */
const UNDER_WAY = 64

/** A customer's message, as a provider pushes it. */
export const push = (conversation: number, msgid: string) => ({
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

export interface Acknowledged {
  pushed: string[]
  /** The ids of written messages, in order per conversation. */
  written: string[]
}

/** Writes and pushes as fast as possible until it is stopped. Waits while there is no answer. */
export function startChatLoad(
  hub: Hub,
  chats: Map<string, string>,
): { known: Acknowledged; stop(): Promise<void> } {
  const known: Acknowledged = { pushed: [], written: [] }
  let isOver = false
  const names = [...chats.keys()]
  const write = async (writer: number) => {
    for (let n = 0; !isOver; n++) {
      const name = names[(writer + n * WRITERS) % names.length] as string
      const text = `${name}, ${n}`
      const answer = await hub.ask('POST', `/web/v4/chats/${chats.get(name)}/messages`, { text })
      if (answer?.status === 200) known.written.push(answer.body.id)
      // A refused write is not repeated during a restart, because it may have been stored.
      else await sleep(20)
    }
  }
  const pushAll = async () => {
    for (let n = 0; !isOver; n++) {
      const msgid = `push ${n}`
      // Repeated until there is an answer. It is one message whether the program died before or after storing it.
      while ((await hub.push(push(n % names.length, msgid)))?.status !== 200 && !isOver) await sleep(20)
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

/** Creates conversations with a first message. Returns our ids by the provider's names. */
export async function openChats(hub: Hub, count: number): Promise<Map<string, string>> {
  for (let n = 0; n < count; n++) expect((await hub.push(push(n, `first ${n}`)))?.status).toBe(200)
  const list = await hub.ask('GET', '/web/v4/chats?limit=250')
  return new Map(
    list?.body._embedded.chats.map(({ id, conversation_id }: Record<string, string>) => [
      conversation_id,
      id,
    ]),
  )
}

/** The violations of each rule of C7; empty lists if there are none. */
export function breaches(threads: Map<string, StoredMessage[]>, arrivals: Arrival[], known: Acknowledged) {
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
    // Sent twice by one process, so it was not interrupted by a kill.
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

/** A repetition follows immediately. Without repetitions, the arrivals equal the thread. */
function disorder(name: string, thread: StoredMessage[], arrivals: Arrival[]): string[] {
  const came = arrivals.filter(({ conversation }) => conversation === name).map((one) => one.message_id)
  const once = came.filter((id, i) => id !== came[i - 1])
  const kept = thread.filter(({ direction }) => direction === 'out').map(({ id }) => id)
  return once.length === kept.length && once.every((id, i) => id === kept[i]) ? [] : [name]
}

/** The result of `breaches` without violations. */
export const nothing = {
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
