import { randomUUID } from 'node:crypto'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { inject, onTestFinished } from 'vitest'
import { scratch } from '../programs/scratch.ts'
import { emptyTemplate } from './embedded.ts'
import { TEMPLATE } from './postgres.ts'

export type Kind = 'sqlite' | 'postgres'

/** The place of a database, for openDatabase. */
export interface Place {
  database_url: string
  data_dir: string
}

/** The database of this test run. */
export const kindOfRun = (): Kind => (process.env.TEST_DATABASE === 'postgres' ? 'postgres' : 'sqlite')

/** Whether the databases of this test run are distributed with Citus (`test/databases/citus.ts`). */
export const isDistributedRun = (): boolean => process.env.TEST_CITUS === '1'

/**
 * Created during a test for the next one, because a copy takes PostgreSQL a twentieth of a second. The last one is
 * dropped with the server.
 */
let next: Promise<string> | undefined
/** Unused databases are dropped one after the other, without blocking tests. */
let dropping = Promise.resolve()

/** A new database with the schema: its address on PostgreSQL; empty for SQLite, which is in the folder. */
export async function freshDatabase(data_dir: string, kind: Kind): Promise<string> {
  if (kind === 'sqlite') {
    cpSync(emptyTemplate(inject('templates')), data_dir, { recursive: true })
    return ''
  }
  const url = await (next ?? copyTemplate())
  next = copyTemplate()
  return url
}

/** Drops the database of an address from `freshDatabase`. */
export function dropDatabase(url: string): void {
  if (url) dropping = dropping.then(() => onServer(`drop database ${nameIn(url)} with (force)`))
}

async function copyTemplate(): Promise<string> {
  // Citus has a process in each database, and one in use cannot be copied.
  if (isDistributedRun())
    await onServer(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${TEMPLATE}'`)
  const name = `world_${randomUUID().replaceAll('-', '')}`
  await onServer(`create database ${name} template ${TEMPLATE} strategy file_copy`)
  return `${inject('postgres')}/${name}`
}

const nameIn = (url: string) => new URL(url).pathname.slice(1)

/** A copy of a database that nobody uses, in another place. Removed at the end of the test. */
export async function copyOf(place: Place): Promise<Place> {
  const data_dir = mkdtempSync(join(tmpdir(), 'patchbay-copy-'))
  onTestFinished(() => rmSync(data_dir, { recursive: true, force: true }))
  cpSync(place.data_dir, data_dir, { recursive: true })
  if (!place.database_url) return { database_url: '', data_dir }
  const name = `copy_${randomUUID().replaceAll('-', '')}`
  await onServer(`create database ${name} template ${nameIn(place.database_url)}`)
  onTestFinished(() => onServer(`drop database ${name} with (force)`))
  return { database_url: `${inject('postgres')}/${name}`, data_dir }
}

/** A database with the schema and no rows, and a folder. Removed at the end of the test. */
export async function migratedDatabase(kind: Kind = kindOfRun()): Promise<Place> {
  const data_dir = mkdtempSync(join(scratch, 'patchbay-migrated-'))
  onTestFinished(() => rmSync(data_dir, { recursive: true, force: true }))
  const database_url = await freshDatabase(data_dir, kind)
  onTestFinished(() => dropDatabase(database_url))
  return { database_url, data_dir }
}

/** An empty database without a schema, and a folder. Removed at the end of the test. */
export async function emptyDatabase(kind: Kind = kindOfRun()): Promise<Place> {
  const data_dir = mkdtempSync(join(tmpdir(), 'patchbay-data-'))
  onTestFinished(() => rmSync(data_dir, { recursive: true, force: true }))
  if (kind === 'sqlite') return { database_url: '', data_dir }
  const name = `empty_${randomUUID().replaceAll('-', '')}`
  await onServer(`create database ${name}`)
  onTestFinished(() => onServer(`drop database ${name} with (force)`))
  return { database_url: `${inject('postgres')}/${name}`, data_dir }
}

/** One connection pool per server and thread, because connecting takes longer than most statements. */
let pools: pg.Pool[] | undefined

/** Runs a statement on every server of the test databases. */
async function onServer(statement: string): Promise<void> {
  pools ??= inject('servers').map(
    (url) => new pg.Pool({ connectionString: `${url}/postgres`, max: 2, allowExitOnIdle: true }),
  )
  await Promise.all(pools.map((pool) => pool.query(statement)))
}
