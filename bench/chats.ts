import { CONNECTIONS } from './callers.ts'
import { benchDelays } from './chat-delays.ts'
import { type ChatPrograms, CONVERSATIONS, pushBytes, startChatPrograms } from './chat-programs.ts'
import { type DatabaseName, openDatabases } from './databases.ts'
import { SECRET } from './floors/chats.ts'
import type { Caller } from './load.ts'
import { type Column, latency, type Result, spread, type Table, tableOf, whole } from './report.ts'
import { interleave, type Options, type Pairing, pair } from './rounds.ts'

/** The highest rate so far, per second, so that a round has about the requested length. */
const DELIVERIES_A_SECOND = 1_000

const shown =
  (cell: (result: Result) => string, of: (result: Result) => number): ((result: Result) => string) =>
  (result) =>
    Number.isNaN(of(result)) ? '–' : cell(result)
const columns: Column<Result>[] = [
  ['work', ({ work }) => work],
  ['database', ({ database }) => database],
  ['floor a second', ({ floor }) => whole(floor.per_second)],
  ['ours a second', ({ ours }) => whole(ours.per_second)],
  [
    'ratio',
    shown(
      ({ ratio }) => spread(ratio),
      ({ ratio }) => ratio.median,
    ),
  ],
  [
    'floor p50 / p99 ms',
    shown(
      ({ floor }) => latency(floor),
      ({ floor }) => floor.p50_ms,
    ),
  ],
  [
    'ours p50 / p99 ms',
    shown(
      ({ ours }) => latency(ours),
      ({ ours }) => ours.p50_ms,
    ),
  ],
]

/** Pushed messages, the delay of written messages, and the delivery rate. */
export async function benchChats(database: DatabaseName, options: Options): Promise<Table> {
  await using databases = await openDatabases(database)
  await using programs = await startChatPrograms(databases)
  const results: Pairing[] = [
    ...(await benchPushes(programs, options)),
    ...(await benchDelays(programs, options)),
    ...(await benchDeliveries(programs, options)),
  ]
  return tableOf(
    columns,
    results.map((pairing) => ({ database: databases.version, ...pairing })),
  )
}

function benchPushes({ server, floor, account }: ChatPrograms, options: Options): Promise<Pairing[]> {
  const { channel_id, amojo_id, secret } = account
  const scope = `/v2/origin/custom/${channel_id}_${amojo_id}`
  return interleave(
    { 'push a message': { port: floor.port, callers: pushers('/push', SECRET) } },
    { port: server.port, callers: pushers(scope, secret) },
    options,
  )
}

/** Each caller has its own conversations. A push is created for each request, because no two may be equal. */
function pushers(path: string, secret: string): Caller[] {
  return Array.from({ length: CONNECTIONS }, (_, connection) => {
    let n = 0
    const next = () => {
      const conversation = (connection + CONNECTIONS * n) % CONVERSATIONS
      return pushBytes(path, secret, conversation, `${connection}-${n++}`)
    }
    return { next }
  })
}

/** The program sends waiting messages at full speed when it starts. */
async function benchDeliveries(programs: ChatPrograms, options: Options): Promise<Pairing[]> {
  const { receiver, floor } = programs
  const rates: Record<'ours' | 'kept' | 'each', number[]> = { ours: [], kept: [], each: [] }
  const count = Math.ceil(DELIVERIES_A_SECOND * options.seconds)
  for (let round = 0; round < options.rounds; round++) {
    await receiver.arrivals()
    await programs.restartWith(count)
    const times = Object.values(await receiver.waitFor(count))
    rates.ours.push((count - 1) / ((Math.max(...times) - Math.min(...times)) / 1000))
    rates.kept.push(await loop(floor.port, options.seconds, true))
    rates.each.push(await loop(floor.port, options.seconds, false))
  }
  const measured = (all: number[]) =>
    all.map((per_second) => ({
      ...{ requests: count, per_second, p50_ms: Number.NaN, p99_ms: Number.NaN, errors: 0 },
      first_error: undefined,
    }))
  return [
    pair('deliver what waits', measured(rates.kept), measured(rates.ours)),
    pair('deliver what waits, floor opens a connection each', measured(rates.each), measured(rates.ours)),
  ]
}

async function loop(port: number, seconds: number, is_kept: boolean): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${port}/loop`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ seconds, is_kept }),
  })
  return ((await answer.json()) as { per_second: number }).per_second
}
