import { type Expression, type RawBuilder, type SqlBool, SqliteAdapter, sql } from 'kysely'
import type { Db, Tx } from './database.ts'
import { prepared } from './prepared.ts'
import type { Counted } from './tables.ts'

/** Everything in which the two databases differ. Nothing outside this folder asks which of them it is. */
export const isPostgres = (db: Db): boolean => !(db.getExecutor().adapter instanceof SqliteAdapter)

/** Whether no other process works on this database: what one of them had under way is nobody's when it is gone. */
export const isOfOneProcess = (db: Db): boolean => !isPostgres(db)

/**
 * Column types are written in PostgreSQL's words; the embedded database has its own, and checks them when STRICT.
 * A table whose key is no number is kept in the order of that key: one look-up finds the row, not an entry that names it.
 */
export function translateDdl(db: Db, statement: string): string {
  if (isPostgres(db)) return statement
  const clustered = /(text|bytea) primary key|primary key \(/.test(statement)
  return (
    statement
      .replace(/\bbigint\b/g, 'integer')
      .replace(/\bbytea\b/g, 'blob')
      .replace(/\bdouble precision\b/g, 'real')
      // Bytes in their order is what the embedded database does unasked.
      .replaceAll(' collate "C"', '')
      .replace(/^(create table [\s\S]*\))$/, clustered ? '$1 strict, without rowid' : '$1 strict')
  )
}

/**
 * Locks the selected rows until the transaction ends, or of a join those of one table. The embedded database has one
 * writer and needs no lock.
 */
export function forUpdate(db: Db, table?: string): RawBuilder<unknown> {
  if (!isPostgres(db)) return sql``
  return table === undefined ? sql`for update` : sql`for update of ${sql.table(table)}`
}

/** Keeps the selected rows from being deleted until the transaction ends; others may keep them at the same time. */
export function forKeyShare(db: Db): RawBuilder<unknown> {
  return isPostgres(db) ? sql`for key share` : sql``
}

/** Like forUpdate, but passes over the rows that another process has locked: how workers share a queue. */
export function forUpdateSkipLocked(db: Db): RawBuilder<unknown> {
  return isPostgres(db) ? sql`for update skip locked` : sql``
}

/** A list as it is bound; in a query that is built once there stands something else for it, which is bound at each run. */
const listOf = (db: Db, values: readonly (number | string)[]): unknown => {
  if (!Array.isArray(values)) return values
  return isPostgres(db) ? [...values] : JSON.stringify(values)
}

/** Whether a column is one of these values: one text however many they are, so that it is planned once. */
export function isOneOf(
  db: Db,
  column: Expression<unknown>,
  values: readonly (number | string)[],
): Expression<SqlBool> {
  if (isPostgres(db)) return sql<SqlBool>`${column} = any(${listOf(db, values)})`
  return sql<SqlBool>`${column} in (select value from json_each(${listOf(db, values)}))`
}

/** Values as a table with the column `value`, to join with: one text however many they are. */
export function tableOf<T extends number | string>(
  db: Db,
  values: readonly T[],
  type: 'text' | 'bigint',
): RawBuilder<{ value: T }> {
  if (isPostgres(db)) return sql`(select unnest(${listOf(db, values)}::${sql.raw(type)}[]) as value)`
  return sql`(select value from json_each(${listOf(db, values)}))`
}

/**
 * Whether a look-up by a whole key finds something, asked for one row after the other. `exists` would let PostgreSQL read
 * all that could be found into a hash first, to look up a page of rows.
 */
export const holds = (lookUp: Expression<unknown>): RawBuilder<boolean> =>
  sql<boolean>`coalesce(${lookUp}, 0) = 1`

/**
 * The first rows of several ranges, each of which an index gives in the order asked for, merged in that order. The embedded
 * database merges while it walks. PostgreSQL would sort ranges whole when it thinks little of their index: it is given no
 * more of each than may be needed.
 */
export function mergedRanges(
  db: Db,
  ranges: readonly RawBuilder<unknown>[],
  order: RawBuilder<unknown>,
  { limit, offset }: { limit: number; offset: number },
): RawBuilder<unknown> {
  const arms = isPostgres(db)
    ? ranges.map((range) => sql`(${range} order by ${order} limit ${limit + offset})`)
    : ranges
  return sql`${sql.join(arms, sql` union all `)} order by ${order} limit ${limit} offset ${offset}`
}

/** The function that finds one text in another: `name(where, what)` is 0 when it is not there. */
export const positionOf = (db: Db): 'strpos' | 'instr' => (isPostgres(db) ? 'strpos' : 'instr')

/** Takes `count` new ids of a table, in rising order. Ids of a transaction that is refused are not used again. */
export async function nextIds(tx: Tx, table: Counted, count: number): Promise<number[]> {
  if (isPostgres(tx)) {
    const sequence = `${table}_ids`
    const { rows } = await sql<{ id: number }>`
      select nextval(${sequence}) as id from generate_series(1, ${count})`.execute(tx)
    return rows.map(({ id }) => id)
  }
  const [row] = await fromCounter(tx, { table, count })
  const last = (row as { last: number }).last
  return Array.from({ length: count }, (_, i) => last - count + 1 + i)
}

/** The same where ids begin above a number; what of the count lies below it is passed over. */
export async function nextIdsAbove(tx: Tx, table: Counted, floor: number, count: number): Promise<number[]> {
  if (count === 0) return []
  const ids = await nextIds(tx, table, count)
  const missing = floor - (ids[0] as number) + 1
  if (missing <= 0) return ids
  if (missing > count) await nextIds(tx, table, missing - count)
  return nextIds(tx, table, count)
}

const fromCounter = prepared((db, { table, count }: { table: string; count: number }) =>
  db
    .updateTable('sequences')
    .set((eb) => ({ last: eb('last', '+', count) }))
    .where('name', '=', table)
    .returning('last'),
)

export async function nextId(tx: Tx, table: Counted): Promise<number> {
  const [id] = await nextIds(tx, table, 1)
  return id as number
}

/** What makes ids for a table, for migrations. */
export function idSource(db: Db, table: Counted): string {
  return isPostgres(db)
    ? `create sequence ${table}_ids`
    : `insert into sequences (name, last) values ('${table}', 0)`
}

/** After rows were put in with ids of their own (a restore): the next id follows the largest. */
export async function continueIds(tx: Tx, table: Counted): Promise<void> {
  const { rows } = await sql<{
    last: number | null
  }>`select max(id) as last from ${sql.table(table)}`.execute(tx)
  const last = rows[0]?.last ?? 0
  if (isPostgres(tx))
    await sql`select setval(${`${table}_ids`}, ${Math.max(last, 1)}, ${last > 0})`.execute(tx)
  else await tx.updateTable('sequences').set({ last }).where('name', '=', table).execute()
}

/** Has PostgreSQL count what was put in, which it would do by itself a minute later: until then its plans are guesses. */
export async function countRows(tx: Tx): Promise<void> {
  if (!isPostgres(tx)) return
  await sql`set local statement_timeout = 0`.execute(tx)
  await sql`analyze`.execute(tx)
}

/** For what is done while nobody waits: a restore reads for longer than a transaction may else be idle. */
export async function liftTimeLimits(tx: Tx): Promise<void> {
  if (!isPostgres(tx)) return
  for (const limit of ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'])
    await sql`set local ${sql.ref(limit)} = 0`.execute(tx)
}

/**
 * Has a transaction be committed without a wait for the disk: when PostgreSQL dies in the next second, it was not. The
 * embedded database writes it with the others of its group.
 */
export async function commitSoon(tx: Tx): Promise<void> {
  if (isPostgres(tx)) await sql`set local synchronous_commit = off`.execute(tx)
}

/** Keeps two processes from migrating at once. */
export async function lockForMigration(tx: Tx): Promise<void> {
  if (!isPostgres(tx)) return
  await liftTimeLimits(tx)
  await sql`select pg_advisory_xact_lock(7265616463)`.execute(tx)
}

/**
 * Has transactions that name the same thing follow each other, where there is no row yet that they could lock. In the
 * order of the keys, so that two that name several wait and do not block.
 */
export async function lockNames(tx: Tx, names: readonly string[]): Promise<void> {
  if (!isPostgres(tx)) return
  await sql`select pg_advisory_xact_lock(keys.key) from (
    select distinct hashtextextended(name, 0) as key from unnest(${[...names]}::text[]) as name order by key) as keys`.execute(
    tx,
  )
}

/**
 * Takes a name until the transaction ends, when no transaction of another process has it; answers whether it has. The
 * embedded database is one process's.
 */
export async function tryLockName(db: Db, name: string): Promise<boolean> {
  if (!isPostgres(db)) return true
  const { rows } = await sql<{ has: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${name}, 1)) as has`.execute(db)
  return rows[0]?.has ?? false
}

/**
 * How long ago the oldest transaction that is open and may write began, in milliseconds; null when none is. With one
 * writer there is nothing to wait for: its transactions end in the order in which they began. One that has written
 * nothing for ten seconds is a reader: a backup.
 */
export async function oldestTransaction(db: Db): Promise<number | null> {
  if (!isPostgres(db)) return null
  const { rows } = await sql<{ age: number | null }>`
    select (extract(epoch from clock_timestamp() - min(xact_start)) * 1000)::float8 as age from pg_stat_activity
    where datname = current_database() and usename = current_user and pid <> pg_backend_pid()
      and (backend_xid is not null or xact_start > clock_timestamp() - interval '10 seconds')`.execute(db)
  return rows[0]?.age ?? null
}
