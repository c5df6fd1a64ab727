import { CONNECTIONS } from './callers.ts'
import { benchDelays } from './chat-delays.ts'
import { type ChatPrograms, CONVERSATIONS, pushBytes, startChatPrograms } from './chat-programs.ts'
import { type DatabaseName, type Databases, openDatabases } from './databases.ts'
import { SECRET } from './floors/chats.ts'
import type { Caller } from './load.ts'
import type { Program } from './programs.ts'
import {
  type Column,
  columnsFor,
  cpuColumns,
  latency,
  type Result,
  spread,
  type Table,
  tableOf,
  whole,
} from './report.ts'
import {
  cpuOfEach,
  cpuTimes,
  interleave,
  isChosen,
  type Options,
  type Pairing,
  pair,
  type Round,
} from './rounds.ts'
import { SAME_ROWS } from './row-floor.ts'

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
  ...cpuColumns.map(
    ([name, cell]): Column<Result> => [
      name,
      shown(cell, ({ ours, floor }) => ours.cpu.server + floor.cpu.server),
    ],
  ),
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
  const parts: Record<string, () => Promise<Pairing[]>> = {
    'push a message': () => benchPushes(databases, programs, options),
    written: () => benchDelays(programs, options),
    'deliver what waits': () => benchDeliveries(databases, programs, options),
  }
  const results: Pairing[] = []
  for (const [name, bench] of Object.entries(parts))
    if (isChosen(name, options)) results.push(...(await bench()))
  return tableOf(
    columnsFor(columns, options),
    results.map((pairing) => ({ database: databases.version, ...pairing })),
  )
}

function benchPushes(
  databases: Databases,
  { server, floor, rows, account }: ChatPrograms,
  options: Options,
): Promise<Pairing[]> {
  const { channel_id, amojo_id, secret } = account
  const scope = `/v2/origin/custom/${channel_id}_${amojo_id}`
  return interleave(
    databases,
    {
      'push a message': { program: floor, callers: pushers('/push', SECRET) },
      [`push a message, ${SAME_ROWS}`]: { program: rows, callers: pushers('/push', secret) },
    },
    { program: server, callers: pushers(scope, secret) },
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
async function benchDeliveries(
  databases: Databases,
  programs: ChatPrograms,
  options: Options,
): Promise<Pairing[]> {
  const rounds: Record<'ours' | 'kept' | 'each', Round[]> = { ours: [], kept: [], each: [] }
  const count = Math.ceil(DELIVERIES_A_SECOND * options.seconds)
  for (let round = 0; round < options.rounds; round++) {
    rounds.ours.push(await deliver(databases, programs, count))
    rounds.kept.push(await loop(databases, programs.floor, options.seconds, true))
    rounds.each.push(await loop(databases, programs.floor, options.seconds, false))
  }
  return [
    pair('deliver what waits', rounds.kept, rounds.ours),
    pair('deliver what waits, floor opens a connection each', rounds.each, rounds.ours),
  ]
}

/** The CPU time is counted from the first arrival that is noticed, so it does not contain the start of the program. */
async function deliver(databases: Databases, programs: ChatPrograms, count: number): Promise<Round> {
  const { receiver } = programs
  await receiver.arrivals()
  await programs.restartWith(count)
  const first = await receiver.waitFor(1)
  const before = cpuTimes(databases, programs.server)
  const left = count - Object.keys(first).length
  const others = await receiver.waitFor(left)
  const cpu = cpuOfEach(before, cpuTimes(databases, programs.server), left)
  const times = Object.values({ ...first, ...others })
  const seconds = (Math.max(...times) - Math.min(...times)) / 1000
  return roundOf(count, (count - 1) / seconds, cpu)
}

async function loop(databases: Databases, floor: Program, seconds: number, is_kept: boolean): Promise<Round> {
  const before = cpuTimes(databases, floor)
  const answer = await fetch(`http://127.0.0.1:${floor.port}/loop`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ seconds, is_kept }),
  })
  const { sent, per_second } = (await answer.json()) as { sent: number; per_second: number }
  return roundOf(sent, per_second, cpuOfEach(before, cpuTimes(databases, floor), sent))
}

const roundOf = (requests: number, per_second: number, cpu: Round['cpu']): Round => ({
  ...{ requests, per_second, cpu, p50_ms: Number.NaN, p99_ms: Number.NaN },
  ...{ errors: 0, first_error: undefined },
})
