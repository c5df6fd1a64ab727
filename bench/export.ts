import { get, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { type DatabaseName, openDatabases } from './databases.ts'
import { fillAccount } from './event-account.ts'
import { bearer } from './event-programs.ts'
import { memoryOf, resetPeak } from './memory.ts'
import type { Program } from './programs.ts'
import { type Table, tableOf, whole } from './report.ts'
import type { Options } from './rounds.ts'
import { startServer } from './server.ts'

interface Exported {
  what: string
  database: string
  events: number
  lines: number
  bytes: number
  seconds: number
  /** The memory of the server's process in MiB: before, and the maximum since. */
  before: number
  peak: number
}

const columns: Parameters<typeof tableOf<Exported>>[0] = [
  ['work', ({ what }) => what],
  ['database', ({ database }) => database],
  ['events', ({ events }) => whole(events)],
  ['lines', ({ lines }) => whole(lines)],
  ['MB', ({ bytes }) => whole(bytes / 1e6)],
  ['seconds', ({ seconds }) => seconds.toFixed(1)],
  ['MB/s', ({ bytes, seconds }) => (bytes / 1e6 / seconds).toFixed(1)],
  ['memory before, MiB', ({ before }) => whole(before)],
  ['memory at most, MiB', ({ peak }) => whole(peak)],
]

/** The server must not buffer an export for a slow reader. */
const SLOW = { bytes: 512 * 1024, every_ms: 100, seconds: 8 }

/** Streams the whole log and measures the memory of the server. */
export async function benchExport(database: DatabaseName, options: Options): Promise<Table> {
  const results: Exported[] = []
  for (const events of options.events) {
    await using databases = await openDatabases(database)
    const { program, tokens, marks } = await startServer(databases, (ctx) => fillAccount(ctx, events))
    await using server = program
    const base = { database: databases.version, events: marks.events }
    for (const [what, accept, token, isSlow] of [
      ['NDJSON', 'application/x-ndjson', tokens.admin, false],
      ['CSV', 'text/csv', tokens.admin, false],
      ['NDJSON, own-only rights, a fifth', 'application/x-ndjson', tokens.fifth, false],
      [`NDJSON, a slow reader, ${SLOW.seconds} s of it`, 'application/x-ndjson', tokens.admin, true],
    ] as const) {
      const taken = await take(server, { ...bearer(token), accept }, isSlow)
      results.push({ what, ...base, ...taken })
    }
  }
  return tableOf(columns, results)
}

async function take({ port, pid }: Program, headers: Record<string, string>, isSlow: boolean) {
  const before = memoryOf(pid, 'VmRSS')
  resetPeak(pid)
  const began = performance.now()
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    get({ host: '127.0.0.1', port, path: '/api/v4/events', headers }, resolve).once('error', reject)
  })
  if (answer.statusCode !== 200) throw new Error(`the export answered ${answer.statusCode}`)
  let [lines, bytes, pause] = [0, 0, SLOW.bytes]
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    bytes += chunk.length
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) lines++
    if (!isSlow) continue
    if (performance.now() - began > SLOW.seconds * 1000) break
    if (bytes < pause) continue
    pause += SLOW.bytes
    await sleep(SLOW.every_ms)
  }
  const seconds = (performance.now() - began) / 1000
  answer.destroy()
  return { lines, bytes, seconds, before, peak: memoryOf(pid, 'VmHWM') }
}

const NEWLINE = 10
