import { CONNECTIONS } from './callers.ts'
import { cpuTimeOf } from './cpu.ts'
import { flood, type Reply } from './crowd.ts'
import { type DatabaseName, openDatabases } from './databases.ts'
import { type Caller, load, requestBytes } from './load.ts'
import { memoryOf } from './memory.ts'
import { type RecordServer, startRecordServer } from './record-server.ts'
import { percentile } from './replies.ts'
import { type Column, type Table, tableOf, whole } from './report.ts'
import type { Options } from './rounds.ts'

const LEADS = 5_000
/** The part of the capacity that is offered. */
const PART = 0.8
const OUTSTANDING = 2_000

/** The seconds in which the capacity is measured before each part. */
const MEASURED_S = 5

interface Part {
  n: number
  capacity: number
  replies: Reply[]
  cpu_us: number
  memory_mib: number
}

/**
 * Offers 0.8 of the capacity in parts of `seconds`. Before each part, the capacity is measured again, because the speed of a
 * machine changes within minutes. Shows for each part what was answered, and the memory at its end.
 */
export async function benchSustained(database: DatabaseName, options: Options): Promise<Table> {
  await using databases = await openDatabases(database)
  const ours = await startRecordServer(databases, { leads: LEADS, batch: 250 })
  await using server = ours.program
  const next = mixed(ours)
  await load(server.port, callers(next), MEASURED_S)
  const parts: Part[] = []
  for (let n = 1; n <= options.rounds; n++) {
    const { per_second: capacity } = await load(server.port, callers(next), MEASURED_S)
    const before = cpuTimeOf(server.pid)
    const run = { per_second: capacity * PART, seconds: options.seconds, outstanding: OUTSTANDING }
    const replies = await flood(server.port, next, run)
    const cpu_us = cpuTimeOf(server.pid) - before
    parts.push({ n, capacity, replies, cpu_us, memory_mib: memoryOf(server.pid, 'VmRSS') })
  }
  return tableOf<Part>(
    [
      ['part', ({ n }) => String(n)],
      ['database', () => databases.version],
      ['capacity, req/s', ({ capacity }) => whole(capacity)],
      ['offered, req/s', ({ replies }) => whole(replies.length / options.seconds)],
      ...outcomes.map(
        ([name, isOne]): Column<Part> => [name, ({ replies }) => whole(replies.filter(isOne).length)],
      ),
      ['p50 / p99 ms', ({ replies }) => `${tenth(replies, 0.5)} / ${tenth(replies, 0.99)}`],
      ['CPU µs a request', ({ replies, cpu_us }) => whole(cpu_us / replies.length)],
      ['memory MiB', ({ memory_mib }) => whole(memory_mib)],
    ],
    parts,
  )
}

const isGood = ({ status }: Reply): boolean => status >= 200 && status < 300
const isRefused = ({ status, has_retry_after }: Reply): boolean => status === 503 && has_retry_after

const outcomes: [name: string, isOne: (reply: Reply) => boolean][] = [
  ['2xx', isGood],
  ['refused with 503 and Retry-After', isRefused],
  ['others and no answer', (reply) => !isGood(reply) && !isRefused(reply)],
]

const tenth = (replies: Reply[], share: number): string => percentile(replies, share).toFixed(1)

/** The requests of an integration at work: of ten, one page, four records, two lists of notes, two changes and one note. */
function mixed({ access_token, leads }: RecordServer): () => Buffer {
  const headers = { authorization: `Bearer ${access_token}` }
  const page = requestBytes('/api/v4/leads?limit=50&with=contacts', headers)
  const notes = leads.map((id) => requestBytes(`/api/v4/leads/${id}/notes?limit=10`, headers))
  const records = leads.map((id) => requestBytes(`/api/v4/leads/${id}`, headers))
  const prices = leads.map((id, n) => requestBytes(`/api/v4/leads/${id}`, headers, { price: n }, 'PATCH'))
  const others = leads.map((id, n) => requestBytes(`/api/v4/leads/${id}`, headers, { price: n + 1 }, 'PATCH'))
  const note = [{ note_type: 'common', params: { text: 'Called back' } }]
  const written = leads.map((id) => requestBytes(`/api/v4/leads/${id}/notes`, headers, note))
  const kinds = [[page], records, notes, prices, records, written, records, notes, others, records]
  let n = 0
  return () => {
    const requests = kinds[n % kinds.length] as Buffer[]
    const request = requests[Math.floor(n / kinds.length) % requests.length] as Buffer
    n++
    return request
  }
}

const callers = (next: () => Buffer): Caller[] => Array.from({ length: CONNECTIONS }, () => ({ next }))
