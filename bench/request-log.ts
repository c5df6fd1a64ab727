import { setTimeout as sleep } from 'node:timers/promises'
import { asking, CONNECTIONS, sending } from './callers.ts'
import { type DatabaseName, openDatabases } from './databases.ts'
import { bearer } from './event-programs.ts'
import type { Caller } from './load.ts'
import { type RecordingServer, startRecordingServer, written } from './recording-server.ts'
import { type Column, cpuTime, latency, type Result, spread, type Table, tableOf, whole } from './report.ts'
import { type Contender, interleave, isChosen, type Options } from './rounds.ts'

/** Requests above the limit of the log are deleted every ten seconds. */
const DELETED_MS = 10_500

/** One program with and without its request log, in turns: the floor is the program that records nothing. */
export async function benchRequestLog(database: DatabaseName, options: Options): Promise<Table> {
  await using databases = await openDatabases(database)
  const server = await startRecordingServer(databases)
  await using _program = server.program
  const results: Result[] = []
  for (const [name, callers] of works(server)) {
    if (!isChosen(name, options)) continue
    const [off, on] = contenders(server, callers)
    for (const pairing of await interleave(databases, { [name]: off }, on, options))
      results.push({ database: databases.version, ...pairing })
  }
  return tableOf(columns, results)
}

function* works({ access_token, leads }: RecordingServer): Generator<[name: string, callers: Caller[]]> {
  const headers = bearer(access_token)
  yield ['GET /api/v4/account', asking(CONNECTIONS, '/api/v4/account', headers)]
  yield [
    'add one note',
    sending(CONNECTIONS, '/api/v4/leads/notes', headers, (n) => [
      {
        entity_id: leads[n % leads.length],
        note_type: 'common',
        params: { text: `Called back, asked for the offer of last week (${n})` },
      },
    ]),
  ]
}

/** The same program with and without its log. The cost of what recording leaves to do belongs to no other round. */
function contenders(server: RecordingServer, callers: Caller[]): [off: Contender, on: Contender] {
  let isOn = false
  const turn = (to: boolean) => async () => {
    if (isOn === to) return
    if (isOn) await sleep(DELETED_MS)
    await server.record(to)
    isOn = to
  }
  const { program } = server
  return [
    { program, callers, before: turn(false), after: written },
    { program, callers, before: turn(true), after: written },
  ]
}

const columns: Column<Result>[] = [
  ['work', ({ work }) => work],
  ['database', ({ database }) => database],
  ['off req/s', ({ floor }) => whole(floor.per_second)],
  ['on req/s', ({ ours }) => whole(ours.per_second)],
  ['ratio', ({ ratio }) => spread(ratio)],
  ['off CPU µs', ({ floor }) => cpuTime(floor)],
  ['on CPU µs', ({ ours }) => cpuTime(ours)],
  ['ratio by CPU', ({ cpu_ratio }) => spread(cpu_ratio)],
  ['with the database', ({ ours, total_ratio }) => (ours.cpu.database > 0 ? spread(total_ratio) : '')],
  ['off p50 / p99 ms', ({ floor }) => latency(floor)],
  ['on p50 / p99 ms', ({ ours }) => latency(ours)],
]
