import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { packageFolder } from '../src/package.ts'
import { wholeCpuTimeOf } from './cpu.ts'
import { type DatabaseName, type Databases, openDatabases } from './databases.ts'
import { memoryOf } from './memory.ts'
import { type Column, markdownOf, type Table, tableOf } from './report.ts'
import { isChosen, type Options } from './rounds.ts'
import { copyAccount, fillScaleAccount } from './scale-account.ts'
import { prepareServer } from './server.ts'

/** Leads of the account before it is copied. */
const SMALLEST = 10_000
/** How often it is copied. */
const sizes = [1, 10, 100]
/** Milliseconds between two looks at the CPU time of a command. */
const EVERY = 50

interface Row {
  work: string
  leads: number
  seconds: number
  /** CPU seconds of the command and of the database. */
  cpu: { command: number; database: number }
  peak_mib: number
  /** Of the backup. */
  file_mib: number
  rows: number
}

/** Places into which a backup is restored. */
const targets = ['the embedded database', 'PostgreSQL', 'PostgreSQL with partitions'] as const
type Target = (typeof targets)[number]

/** The commands `backup` from one kind of database, and `restore` into every other. */
export async function benchBackup(database: DatabaseName, options: Options): Promise<Table> {
  // Restores need both kinds.
  await using databases = await openDatabases('postgres')
  const source = await sourceIn(databases, database)
  await source.offline(fillScaleAccount)
  const rows: Row[] = []
  let copies = 1
  for (const size of sizes.filter((one) => one * SMALLEST <= options.leads)) {
    await source.offline((ctx) => copyAccount(ctx, copies, size))
    copies = size
    const file = join(databases.folder, 'backup.gz')
    const measured = async (work: string, words: string[], env: Record<string, string>) => {
      const { rows: count, ...used } = await run(databases, words, env)
      const file_mib = statSync(file).size / 2 ** 20
      rows.push({ work, leads: size * SMALLEST, ...used, file_mib, rows: count })
    }
    await measured(`backup of ${kindOf(database)}`, ['backup', file], source.env)
    for (const target of targets.filter((one) => isChosen(one, options))) {
      const env = await emptyPlace(databases, target, source.env, `to${rows.length}`)
      await measured(`restore into ${target}`, ['restore', file], env)
    }
    // The table so far, for a run that is stopped before the largest size.
    process.stderr.write(`${markdownOf(tableOf(columns, rows))}\n`)
  }
  return tableOf(columns, rows)
}

const kindOf = (database: DatabaseName): Target =>
  database === 'sqlite' ? 'the embedded database' : 'PostgreSQL'

/** An empty server of a kind. */
async function sourceIn(databases: Databases, database: DatabaseName) {
  const settings: Record<string, string> = database === 'sqlite' ? { DATABASE_URL: '' } : {}
  return prepareServer(databases, settings)
}

async function emptyPlace(
  databases: Databases,
  target: Target,
  env: Record<string, string>,
  name: string,
): Promise<Record<string, string>> {
  const DATA_DIR = join(databases.folder, name, 'data')
  const DATABASE_URL = await databases.create(name)
  mkdirSync(DATA_DIR)
  if (target === 'the embedded database') return { ...env, DATA_DIR, DATABASE_URL: '' }
  const there = { ...env, DATA_DIR, DATABASE_URL }
  if (target === 'PostgreSQL with partitions') {
    await run(databases, ['migrate'], there)
    await run(databases, ['partition'], there)
  }
  return there
}

/** Runs a command to its end. Its memory and CPU time are read while it runs. */
async function run(databases: Databases, words: string[], env: Record<string, string>) {
  const [began, before] = [performance.now(), databases.cpuTime(wholeCpuTimeOf)]
  const child = spawn(process.execPath, [join(packageFolder, 'dist/server/main.js'), ...words], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.on('data', (text) => {
    output += text
  })
  const ended = once(child, 'exit')
  let [command, database, peak_mib] = [0, before, 0]
  while (child.exitCode === null && child.signalCode === null) {
    const [cpu, peak] = usedBy(child.pid as number)
    command = Math.max(command, cpu)
    peak_mib = Math.max(peak_mib, peak)
    database = Math.max(database, databases.cpuTime(wholeCpuTimeOf))
    await Promise.race([ended, pause(EVERY)])
  }
  if (child.exitCode !== 0) throw new Error(`${words.join(' ')} failed: ${output}`)
  return {
    seconds: (performance.now() - began) / 1000,
    cpu: { command: command / 1e6, database: (database - before) / 1e6 },
    peak_mib,
    rows: Number(/^(\d+) rows/.exec(output)?.[1] ?? 0),
  }
}

/** The CPU time and the peak of the memory of a process; 0 if it has ended. */
function usedBy(pid: number): [cpu: number, peak: number] {
  try {
    return [wholeCpuTimeOf(pid), memoryOf(pid, 'VmHWM') || 0]
  } catch {
    return [0, 0]
  }
}

const columns: Column<Row>[] = [
  ['command', ({ work }) => work],
  ['leads', ({ leads }) => leads.toLocaleString('en-US')],
  ['rows', ({ rows }) => rows.toLocaleString('en-US')],
  ['seconds', ({ seconds }) => seconds.toFixed(0)],
  ['CPU s, + PostgreSQL', ({ cpu }) => `${cpu.command.toFixed(0)} + ${cpu.database.toFixed(0)}`],
  ['peak MiB', ({ peak_mib }) => peak_mib.toFixed(0)],
  ['file MiB', ({ file_mib }) => file_mib.toFixed(0)],
]
