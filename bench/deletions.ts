import { setTimeout as pause } from 'node:timers/promises'
import { cpuTimeOf } from './cpu.ts'
import { type DatabaseName, type Databases, openDatabases } from './databases.ts'
import { reading, startCalling, type Times, timesText } from './other-caller.ts'
import type { Program } from './programs.ts'
import { type Table, tableOf } from './report.ts'
import type { Options } from './rounds.ts'
import { copyAccount, fillScaleAccount, type ScaleAccount } from './scale-account.ts'
import { prepareServer } from './server.ts'

/** Milliseconds between two requests of another caller. */
const EVERY = 20
/** Leads of the account before it is copied. */
const SMALLEST = 10_000

interface Row {
  work: string
  database: string
  /** Seconds until the rows are gone, and the CPU time of the server and the database for them. */
  seconds: number
  cpu: number
  times: Times
}

/** What another caller notices while the values of all records, or a tag of a fifth of them, are deleted. */
export async function benchDeletions(database: DatabaseName, options: Options): Promise<Table> {
  await using databases = await openDatabases(database)
  const server = await prepareServer(databases)
  const account = await server.offline(fillScaleAccount)
  await server.offline((ctx) => copyAccount(ctx, 1, Math.max(1, options.leads / SMALLEST)))
  await using program = await server.start()
  const rows: Row[] = []
  for (const { work, path, waiting } of deletionsOf(account))
    rows.push({
      work,
      database: databases.version,
      ...(await run(databases, program, account, path, waiting)),
    })
  return tableOf(columns, rows)
}

/** A deletion, and the table whose rows name what it still has to delete. */
interface Deletion {
  work: string
  path: string | null
  waiting: string | null
}

const deletionsOf = ({ fixtures: { fields, select }, tags }: ScaleAccount): Deletion[] => [
  { work: 'nothing', path: null, waiting: null },
  { work: 'a text of all leads', path: `leads/custom_fields/${fields[0]?.id}`, waiting: 'value_erasures' },
  { work: 'a choice of most leads', path: `leads/custom_fields/${select.id}`, waiting: 'value_erasures' },
  { work: 'a tag of a fifth of the leads', path: `leads/tags/${tags.many}`, waiting: 'tag_erasures' },
]

/** Seconds for which the other caller is measured alone. */
const ALONE = 10

async function run(
  databases: Databases,
  { port, pid }: Program,
  { tokens }: ScaleAccount,
  path: string | null,
  waiting: string | null,
): Promise<Omit<Row, 'work' | 'database'>> {
  const cost = () => cpuTimeOf(pid) + databases.cpuTime()
  const [began, before] = [performance.now(), cost()]
  const others = startCalling({ port, token: tokens.admin, request: reading, every: EVERY })
  if (path) await remove(port, tokens.admin, path)
  while (
    waiting ? (await databases.count('patchbay', waiting)) > 0 : performance.now() - began < ALONE * 1000
  )
    await pause(500)
  return {
    times: await others.stop(),
    seconds: (performance.now() - began) / 1000,
    cpu: (cost() - before) / 1e6,
  }
}

async function remove(port: number, token: string, path: string): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/api/v4/${path}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${token}` },
  })
  if (response.status >= 300) throw new Error(`DELETE ${path}: ${response.status}`)
}

const columns: [string, (row: Row) => string][] = [
  ['what is deleted', ({ work }) => work],
  ['database', ({ database }) => database],
  ['seconds', ({ seconds }) => seconds.toFixed(0)],
  ['CPU s', ({ cpu }) => cpu.toFixed(1)],
  ['others p50 / p99 / longest ms', ({ times }) => timesText(times)],
]
