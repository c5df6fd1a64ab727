import { Agent, type RequestOptions, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { CONNECTIONS } from './callers.ts'
import { type ChatPrograms, CONVERSATIONS, type Receiver } from './chat-programs.ts'
import { clock } from './floors/receiver.ts'
import { type Options, type Pairing, pair } from './rounds.ts'

/** Messages per second: a rate at which everything is idle between messages, and one at which messages overlap. */
const PACES = [20, 200]
const WARM_UP_SECONDS = 0.5

/** A message with the times of the request, the answer and the first byte at the receiver. */
interface Written {
  asked: number
  answered: number
  arrived: number
}

type Answered = { id: string; asked: number; answered: number }
/** Writes the nth message. */
type Write = (n: number) => Promise<Answered>

const delays = {
  'written: from the request to the first byte at the receiver': ({ asked, arrived }: Written) =>
    arrived - asked,
  // The answer and the callback are sent at the same time, so the answer can be later.
  'written: from the answer to the first byte at the receiver': ({ answered, arrived }: Written) =>
    Math.max(0, arrived - answered),
}

/** The delay of written messages until the receiver, compared with a floor that commits and posts, at the same rate. */
export async function benchDelays(programs: ChatPrograms, options: Options): Promise<Pairing[]> {
  const { receiver } = programs
  const { floor, ours } = writersOf(programs)
  const pairings: Pairing[] = []
  for (const pace of PACES) {
    for (const write of [ours, floor]) await paced(write, pace, WARM_UP_SECONDS, receiver)
    const rounds: { floor: Written[]; ours: Written[] }[] = []
    for (let round = 0; round < options.rounds; round++)
      rounds.push({
        floor: await paced(floor, pace, options.seconds, receiver),
        ours: await paced(ours, pace, options.seconds, receiver),
      })
    for (const [work, delayOf] of Object.entries(delays)) {
      const measured = (side: 'floor' | 'ours') =>
        rounds.map((round) => measuredOf(round[side].map(delayOf), pace))
      pairings.push({
        ...pair(work, measured('floor'), measured('ours')),
        ratio: none,
        cpu_ratio: none,
        total_ratio: none,
      })
    }
  }
  return pairings
}

/** Both programs have a fixed rate, so their throughput is meaningless. */
const none = { median: Number.NaN, min: Number.NaN, max: Number.NaN }

function measuredOf(times: number[], per_second: number) {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] as number
  const [p50_ms, p99_ms] = [at(0.5), at(0.99)]
  const unknown = { server: Number.NaN, database: Number.NaN }
  return {
    requests: times.length,
    per_second,
    cpu: unknown,
    p50_ms,
    p99_ms,
    errors: 0,
    first_error: undefined,
  }
}

function writersOf({ server, floor, account }: ChatPrograms): { floor: Write; ours: Write } {
  const { access_token, chats } = account
  // Closes idle connections before the server does, which could happen during a request.
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS, timeout: 2_000 })
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${access_token}` }
  const to = (port: number, path: string) => ({
    method: 'POST',
    host: '127.0.0.1',
    port,
    path,
    agent,
    headers,
  })
  const text = (n: number) => `Message ${n}`
  return {
    ours: (n) =>
      written(to(server.port, `/api/v4/chats/${chats[n % chats.length]}/messages`), { text: text(n) }),
    floor: (n) =>
      written(to(floor.port, '/messages'), {
        conversation_id: `conversation ${n % CONVERSATIONS}`,
        text: text(n),
      }),
  }
}

/** Writes at a fixed rate, without waiting for earlier messages, and waits until all have arrived. */
async function paced(write: Write, pace: number, seconds: number, receiver: Receiver): Promise<Written[]> {
  await receiver.arrivals()
  const began = clock()
  const writing: Promise<Answered>[] = []
  for (let n = 0; n < pace * seconds; n++) {
    await sleep(Math.max(0, began + (n * 1000) / pace - clock()))
    writing.push(write(n))
  }
  const all = await Promise.all(writing)
  const arrivals = await receiver.waitFor(all.length)
  return all.map(({ id, asked, answered }) => ({ asked, answered, arrived: arrivals[id] as number }))
}

function written(to: RequestOptions, body: object): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const asked = clock()
    const asking = request(to)
    asking.on('error', reject).on('response', async (response) => {
      const answered = clock()
      let text = ''
      for await (const chunk of response) text += chunk
      if (response.statusCode === 200) resolve({ id: JSON.parse(text).id, asked, answered })
      else reject(new Error(`a message was answered with ${response.statusCode}: ${text.slice(0, 300)}`))
    })
    asking.end(JSON.stringify(body))
  })
}
