import { type DatabaseName, openDatabases } from './databases.ts'
import { bearer } from './event-programs.ts'
import { type Caller, load, type Measured, requestBytes } from './load.ts'
import { memoryOf, resetPeak } from './memory.ts'
import { type RecordingServer, startRecordingServer, type Unrecorded, written } from './recording-server.ts'
import { type Table, tableOf, whole } from './report.ts'
import type { Options } from './rounds.ts'

const CONNECTIONS = 100
const HOUR = 3_600

interface Burst {
  name: string
  request: Buffer
  count: number
}

interface Outcome extends Unrecorded {
  measured: Measured
  recorded: number
  /** The peak of the resident memory during the burst, in MiB. */
  peak: number
}

/** Sends requests as fast as they are answered, and counts the answers and what the request log made of them. */
export async function benchBurst(database: DatabaseName, _options: Options): Promise<Table> {
  await using databases = await openDatabases(database)
  const server = await startRecordingServer(databases)
  await using _program = server.program
  const rows: [measure: string, value: number][] = []
  for (const burst of burstsOf(server)) {
    await outcomeOf(server, burst, false)
    const off = await outcomeOf(server, burst, false)
    const on = await outcomeOf(server, burst, true)
    rows.push(
      [`${burst.name}: answered`, on.measured.requests],
      [`${burst.name}: refused, as the server is overloaded`, on.overloaded],
      [`${burst.name}: recorded`, on.recorded],
      [`${burst.name}: dropped and counted`, on.dropped],
      [`${burst.name}: peak memory without the log, MiB`, off.peak],
      [`${burst.name}: peak memory with the log, MiB`, on.peak],
      [`${burst.name}: requests a second without the log`, off.measured.per_second],
      [`${burst.name}: requests a second with the log`, on.measured.per_second],
    )
  }
  return tableOf(
    [
      ['measure', ([measure]) => measure],
      ['database', () => databases.version],
      ['value', ([, value]) => whole(value)],
    ],
    rows,
  )
}

/** The second one has bodies of 63 kB to search for secrets, and refusals to explain. */
function burstsOf({ access_token }: RecordingServer): Burst[] {
  const headers = bearer(access_token)
  const drafts = Array.from({ length: 240 }, () => ({ name: 'a'.repeat(250) }))
  return [
    { name: '20,000 calls', count: 20_000, request: requestBytes('/api/v4/account', headers) },
    {
      name: '5,000 refused bodies of 63 kB',
      count: 5_000,
      request: requestBytes('/api/v4/leads/nowhere', headers, drafts),
    },
  ]
}

async function outcomeOf(server: RecordingServer, burst: Burst, is_on: boolean): Promise<Outcome> {
  await server.record(is_on)
  await server.clear()
  const before = await server.unrecorded()
  resetPeak(server.program.pid)
  const measured = await load(server.program.port, callersOf(burst), HOUR)
  await written()
  const peak = memoryOf(server.program.pid, 'VmHWM')
  const after = await server.unrecorded()
  return {
    ...{ measured, peak, recorded: await server.recorded() },
    dropped: after.dropped - before.dropped,
    overloaded: after.overloaded - before.overloaded,
  }
}

/** All callers together send the requests of a burst. */
function callersOf({ request, count }: Burst): Caller[] {
  let sent = 0
  return Array.from({ length: CONNECTIONS }, () => ({ next: () => (sent++ < count ? request : undefined) }))
}
