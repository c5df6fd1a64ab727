import { readFileSync } from 'node:fs'
import { asking, CONNECTIONS } from './callers.ts'
import { crowd, flood, probe, type Reply } from './crowd.ts'
import { type DatabaseName, openDatabases } from './databases.ts'
import { load, requestBytes } from './load.ts'
import { startRecordServer } from './record-server.ts'
import { percentile } from './replies.ts'
import { spread, type Table, tableOf, whole } from './report.ts'
import { type Options, spreadOf } from './rounds.ts'

const LEADS = 5_000
const CROWD = 2_000
const PATH = '/api/v4/leads?limit=250'
const TIMES = 10
/** The maximum number of unanswered requests during the flood. */
const OUTSTANDING = 3_000

/** Opens twice as many connections as a server is patient with, and sends ten times its capacity. */
export async function benchOverload(database: DatabaseName, options: Options): Promise<Table> {
  await using databases = await openDatabases(database)
  const ours = await startRecordServer(databases, { leads: LEADS, batch: 250 })
  await using server = ours.program
  const headers = { authorization: `Bearer ${ours.access_token}` }
  const request = requestBytes(PATH, headers)
  const rounds: Round[] = []
  await load(server.port, asking(CONNECTIONS, PATH, headers), 1)
  for (let n = 0; n < options.rounds; n++) {
    const capacity = await counted(server.pid, async () => {
      const measured = await load(server.port, asking(CONNECTIONS, PATH, headers), options.seconds)
      return { good: measured.requests, seconds: measured.requests / measured.per_second }
    })
    const together = await probed(server.port, () => crowd(server.port, request, CROWD))
    const per_second = (capacity.good / capacity.seconds) * TIMES
    const pressed = await counted(server.pid, async () => {
      const began = performance.now()
      const run = { per_second, seconds: options.seconds, outstanding: OUTSTANDING }
      const { replies, probes } = await probed(server.port, () => flood(server.port, request, run))
      return { good: ok(replies).length, seconds: (performance.now() - began) / 1000, replies, probes }
    })
    rounds.push({ capacity, together, pressed })
  }
  return tableOf(
    [
      ['measure', ({ name }: Row) => name],
      ['database', () => databases.version],
      ['median [least–most]', ({ values }) => spread(spreadOf(values))],
    ],
    [...rowsOf(rounds, options.seconds)],
  )
}

interface Counted {
  good: number
  seconds: number
  /** CPU time of the server. */
  cpu_seconds: number
}

interface Probed {
  replies: Reply[]
  probes: Reply[]
}

interface Round {
  capacity: Counted
  together: Probed
  pressed: Counted & Probed
}

interface Row {
  name: string
  values: number[]
}

/** `offered` is the time in seconds for which more than the capacity was offered. */
function* rowsOf(rounds: Round[], offered: number): Generator<Row> {
  const row = (name: string, value: (round: Round) => number): Row => ({ name, values: rounds.map(value) })
  const perSecond = ({ good, seconds }: Counted) => good / seconds
  const perCpu = ({ good, cpu_seconds }: Counted) => good / cpu_seconds
  yield row(`capacity, req/s (${PATH})`, ({ capacity }) => perSecond(capacity))
  for (const [name, of] of [
    [`${whole(CROWD)} connections at once`, (round: Round) => round.together],
    [`${TIMES} times the capacity`, (round: Round) => round.pressed],
  ] as const) {
    yield row(`${name}: answered with 200`, (round) => ok(of(round).replies).length)
    yield row(`${name}: refused with 503 and Retry-After`, (round) => refused(of(round).replies).length)
    yield row(`${name}: no answer`, (round) => lost(of(round).replies))
    yield row(`${name}: last 200, ms`, (round) => percentile(ok(of(round).replies), 1))
    yield row(`${name}: 200, p50 ms`, (round) => percentile(ok(of(round).replies), 0.5))
    yield row(`${name}: 200, p99 ms`, (round) => percentile(ok(of(round).replies), 0.99))
    yield row(`${name}: 503, p99 ms`, (round) => percentile(refused(of(round).replies), 0.99))
    yield row(`${name}: new /healthz, p50 ms`, (round) => percentile(of(round).probes, 0.5))
    yield row(`${name}: new /healthz, last ms`, (round) => percentile(of(round).probes, 1))
    yield row(`${name}: new /healthz, no answer`, (round) => lost(of(round).probes))
  }
  yield row(
    `${TIMES} times the capacity: until all are answered after the end, ms`,
    ({ pressed }) => 1000 * (pressed.seconds - offered),
  )
  yield row('goodput / capacity', ({ pressed, capacity }) => perSecond(pressed) / perSecond(capacity))
  yield row(
    'goodput / capacity, by CPU time of the server',
    ({ pressed, capacity }) => perCpu(pressed) / perCpu(capacity),
  )
}

const ok = (replies: Reply[]) => replies.filter(({ status }) => status === 200)
const refused = (replies: Reply[]) =>
  replies.filter(({ status, has_retry_after }) => (status === 503 || status === 429) && has_retry_after)
const lost = (replies: Reply[]) => replies.length - ok(replies).length - refused(replies).length

async function probed(port: number, work: () => Promise<Reply[]>): Promise<Probed> {
  const prober = probe(port)
  const replies = await work()
  return { replies, probes: await prober.stop() }
}

async function counted<Result extends { good: number; seconds: number }>(
  pid: number,
  work: () => Promise<Result>,
): Promise<Result & { cpu_seconds: number }> {
  const before = cpuSeconds(pid)
  const result = await work()
  return { ...result, cpu_seconds: cpuSeconds(pid) - before }
}

/** The user and system time of a process, which Linux counts in hundredths of a second. */
function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / 100
}
