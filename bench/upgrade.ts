import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../src/commands/ports.ts'
import { openDatabase } from '../src/db/database.ts'
import { missingIndexes } from '../src/db/indexes/online-indexes.ts'
import { wholeCpuTimeOf } from './cpu.ts'
import { type DatabaseName, type Databases, openDatabases } from './databases.ts'
import { memoryOf } from './memory.ts'
import { fillOlder } from './older-account.ts'
import { reading, startCalling, type Times, timesText } from './other-caller.ts'
import type { Program } from './programs.ts'
import { type Column, type Table, tableOf } from './report.ts'
import { isChosen, type Options } from './rounds.ts'
import { fillScaleAccount, isInTrash, type ScaleAccount } from './scale-account.ts'
import { type PreparedServer, prepareServer } from './server.ts'

/** Older releases, each by the first migration that it does not have. */
const releases = [
  { work: 'from the first release', before: '003-event-indexes', hasApi: false },
  // The later migrations only add to the schema.
  { work: 'from a release whose schema is only added to', before: '043-integration-lists', hasApi: true },
]
/** Leads and events of the account before it is copied. */
const SMALLEST = { leads: 10_000, events: 180_000 }
const GIVEN_UP_MS = 3_600_000
/** Seconds for which two releases are used at the same time, and the older one after that. */
const BESIDE = 20
/** Milliseconds between two requests of a caller. */
const EVERY = { read: 20, write: 100 }

interface Row {
  work: string
  database: string
  /** Seconds until the program answers, and its CPU time with that of the database. */
  ready?: { seconds: number; cpu: number }
  /** The same from then on, until all indexes are there. */
  indexes?: { count: number; seconds: number; cpu: number }
  reads: Times
  writes: Times
  peak_mib: number
}

/**
 * Seconds until this program answers on a database of an older release, and what others notice while it builds the
 * indexes. With the folder of an older release that is built, both are used at once, and then the older one alone.
 */
export async function benchUpgrade(database: DatabaseName, options: Options): Promise<Table> {
  await using databases = await openDatabases(database)
  const MASTER_KEY = randomBytes(32).toString('base64')
  const source = await prepareServer(databases, { MASTER_KEY })
  const account = await source.offline(fillScaleAccount)
  const copies = Math.max(1, options.leads / SMALLEST.leads)
  const log = Math.max(1, Math.round((options.events[0] as number) / SMALLEST.events))
  const rows: Row[] = []
  for (const [n, { work, before, hasApi }] of releases.entries()) {
    if (!isChosen(work, options)) continue
    const server = await prepareServer(databases, { MASTER_KEY }, `older${n}`)
    await source.offline((ctx) => fillOlder(ctx, { before, env: server.env, copies, log }))
    rows.push({ work, database: databases.version, ...(await upgrade(databases, server, account)) })
    if (hasApi && options.older) rows.push(...(await sideBySide(databases, server, account, options.older)))
  }
  return tableOf(columns, rows)
}

/** Starts this program on the older database, and sends requests until the indexes are there. */
async function upgrade(databases: Databases, server: PreparedServer, account: ScaleAccount) {
  const [began, spent] = [performance.now(), databases.cpuTime(wholeCpuTimeOf)]
  await using program = await server.start({ within_ms: GIVEN_UP_MS })
  const cost = () => wholeCpuTimeOf(program.pid) + databases.cpuTime(wholeCpuTimeOf)
  const answered = performance.now()
  const before = cost()
  const callers = startBoth(program, account)
  const count = await indexesOf(server.env)
  while ((await indexesOf(server.env)) > 0) await pause(500)
  const indexes = { count, seconds: (performance.now() - answered) / 1000, cpu: (cost() - before) / 1e6 }
  // Long enough for a few hundred requests where there is little to build.
  await pause(5_000)
  return {
    ready: { seconds: (answered - began) / 1000, cpu: (before - spent) / 1e6 },
    indexes,
    ...(await callers.stop()),
    peak_mib: memoryOf(program.pid, 'VmHWM'),
  }
}

/** The number of indexes that are still to be built. */
async function indexesOf({ DATABASE_URL = '', DATA_DIR = '' }: Record<string, string>): Promise<number> {
  const db = openDatabase(
    { database_url: DATABASE_URL, data_dir: DATA_DIR },
    {
      onCommitFailure: (error) => {
        throw error
      },
    },
  )
  try {
    return (await missingIndexes(db)).length
  } finally {
    await db.destroy()
  }
}

/** The older release on the new schema, beside this one and then alone. */
async function sideBySide(
  databases: Databases,
  server: PreparedServer,
  account: ScaleAccount,
  release: string,
): Promise<Row[]> {
  const { version: database } = databases
  const newer = await server.start()
  await using older = await server.start({ release, port: await freePort() })
  const both = [newer, older].map((program) => startBoth(program, account))
  await pause(BESIDE * 1000)
  const [ofNewer, ofOlder] = await Promise.all(both.map(({ stop }) => stop()))
  const peaks = [newer, older].map(({ pid }) => memoryOf(pid, 'VmHWM'))
  await newer[Symbol.asyncDispose]()
  const alone = startBoth(older, account)
  await pause(BESIDE * 1000)
  const row = (work: string, times: Both | undefined, peak = memoryOf(older.pid, 'VmHWM')): Row => ({
    work,
    database,
    ...(times as Both),
    peak_mib: peak,
  })
  return [
    row('this release, beside the older one', ofNewer, peaks[0]),
    row('the older release, beside this one', ofOlder, peaks[1]),
    row('back: the older release alone', await alone.stop()),
  ]
}

interface Both {
  reads: Times
  writes: Times
}

/** A caller that reads, and one that changes leads. */
function startBoth({ port }: Program, { tokens, marks }: ScaleAccount): { stop(): Promise<Both> } {
  const of = { port, token: tokens.admin }
  const leads = marks.recent.filter((id) => !isInTrash(id))
  const reads = startCalling({ ...of, request: reading, every: EVERY.read })
  const writes = startCalling({
    ...of,
    request: (n) => ({
      path: `leads/${leads[n % leads.length]}`,
      method: 'PATCH',
      body: { price: n + 1 },
    }),
    every: EVERY.write,
  })
  return { stop: async () => ({ reads: await reads.stop(), writes: await writes.stop() }) }
}

const columns: Column<Row>[] = [
  ['upgrade', ({ work }) => work],
  ['database', ({ database }) => database],
  ['answers after s (CPU s)', ({ ready }) => (ready ? secondsText(ready) : '')],
  ['indexes after s (CPU s)', ({ indexes }) => (indexes ? `${indexes.count}: ${secondsText(indexes)}` : '')],
  ['reads p50 / p99 / longest ms', ({ reads }) => timesText(reads)],
  ['writes p50 / p99 / longest ms', ({ writes }) => timesText(writes)],
  ['busy (503)', ({ reads, writes }) => String(reads.busy + writes.busy)],
  ['peak MiB', ({ peak_mib }) => peak_mib.toFixed(0)],
]

const secondsText = ({ seconds, cpu }: { seconds: number; cpu: number }): string =>
  `${seconds.toFixed(1)} (${cpu.toFixed(1)})`
