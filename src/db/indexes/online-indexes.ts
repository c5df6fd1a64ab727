import { sql } from 'kysely'
import pg from 'pg'
import type { Db } from '../database.ts'
import { isPostgres, translateDdl } from '../dialect.ts'
import { partitionsOf } from '../distribution/partitions.ts'
import { migrations } from '../migrations/migrations.ts'
import { buildOnThread } from './index-thread.ts'

/**
 * Indexes that are built while the server answers. An index of a large table takes seconds or minutes, and an upgrade
 * must not wait for it. PostgreSQL builds them beside writes (`concurrently`). The embedded database has one writer at
 * a time, so a thread builds them one after the other: reads go on, and writes wait for at most one of them.
 */
export interface OnlineIndex {
  name: string
  table: string
  statement: string
}

const declared: readonly OnlineIndex[] = migrations
  .flatMap(({ indexes = [] }) => indexes)
  .map((statement) => {
    const [, name = '', table = ''] = /^create index (\w+) on (\w+)/.exec(statement) ?? []
    return { name, table, statement }
  })

/** The indexes of this version that the database does not have, in the order of their migrations. */
export async function missingIndexes(db: Db): Promise<OnlineIndex[]> {
  const { rows } = await (isPostgres(db)
    ? sql<{ name: string }>`select relname as name from pg_class join pg_index on indexrelid = pg_class.oid
        where indisvalid and relnamespace = current_schema()::regnamespace`
    : sql<{ name: string }>`select name from sqlite_schema where type = 'index'`
  ).execute(db)
  const present = new Set(rows.map(({ name }) => name))
  return declared.filter(({ name }) => !present.has(name))
}

/** Where an index is built: the settings of the database. */
export interface IndexedDatabase {
  database_url: string
  data_dir: string
}

/**
 * Builds an index. Resolves to false if another program is building indexes of this database. Can be repeated after the
 * process was killed.
 */
export async function buildIndex(db: Db, place: IndexedDatabase, index: OnlineIndex): Promise<boolean> {
  if (isPostgres(db)) {
    const statements = concurrently(index, await partitionsOf(db, index.table))
    return buildConcurrently(place.database_url, index.name, statements)
  }
  const statement = index.statement.replace(/^create index/, 'create index if not exists')
  await buildOnThread(place.data_dir, translateDdl(db, statement))
  return true
}

/** Session locks of this number are for building indexes. */
const LOCK = 7_265_616_464

async function buildConcurrently(
  connectionString: string,
  name: string,
  statements: string[],
): Promise<boolean> {
  const client = new pg.Client({ connectionString, keepAlive: true })
  // A lost connection fails the statement that uses it. Without a listener, it would also end the process.
  client.on('error', () => {})
  await client.connect()
  // A server that stops does not wait for the index, which PostgreSQL completes or the next start repeats. The types of pg
  // do not have this method.
  ;(client as unknown as { unref(): void }).unref()
  try {
    const { rows } = await client.query('select pg_try_advisory_lock($1) as has', [LOCK])
    if (!rows[0].has) return false
    // Another program may have built it before this one got the lock.
    const built = await client.query(
      'select from pg_index where indexrelid = to_regclass($1) and indisvalid',
      [name],
    )
    if (built.rowCount === 0) for (const statement of statements) await client.query(statement)
    return true
  } finally {
    await client.end()
  }
}

/** The statements that build an index beside writes. An interrupted build has left an invalid one. */
function concurrently({ name, table, statement }: OnlineIndex, partitions: string[]): string[] {
  const build = statement.replace(/^create index/, 'create index concurrently')
  if (partitions.length === 0) return [`drop index concurrently if exists ${name}`, build]
  const ofPartitions = partitions.flatMap((partition) => {
    const own = `${name}_${partition}`
    return [
      `drop index concurrently if exists ${own}`,
      build.replace(`${name} on ${table}`, `${own} on ${partition}`),
    ]
  })
  // The index of the whole table takes over those of the partitions.
  return [`drop index if exists ${name}`, ...ofPartitions, statement]
}
