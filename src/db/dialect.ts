import { type Expression, type RawBuilder, type SqlBool, SqliteAdapter, sql } from 'kysely'
import type { Db, Tx } from './database.ts'
import { batched, prepared, preparedWrite } from './prepared.ts'
import { raiseSetting, readSetting } from './settings.ts'
import type { Counted, SequenceRow } from './tables.ts'

/** All differences between the two databases. Code outside this folder does not distinguish them. */
export const isPostgres = (db: Db): boolean => !(db.getExecutor().adapter instanceof SqliteAdapter)

/** Whether only one process runs the queues of the database (S9). Leases of a process before it then have no owner. */
export const hasOneWorker = (db: Db): boolean => !isPostgres(db)

/**
 * Migrations use PostgreSQL's column types; this translates them for SQLite, which checks them in STRICT tables. A
 * table with a non-numeric key is stored in the order of that key (WITHOUT ROWID), so that one look-up finds the
 * row.
 */
export function translateDdl(db: Db, statement: string): string {
  if (isPostgres(db)) return statement
  const clustered = /(text|bytea) primary key|primary key \(/.test(statement)
  return (
    statement
      .replace(/\bbigint\b/g, 'integer')
      .replace(/\bbytea\b/g, 'blob')
      .replace(/\bdouble precision\b/g, 'real')
      // SQLite compares bytes by default.
      .replaceAll(' collate "C"', '')
      .replace(/^(create table [\s\S]*\))$/, clustered ? '$1 strict, without rowid' : '$1 strict')
  )
}

/**
 * Locks the selected rows until the transaction ends, or those of one table of a join. SQLite has one writer and
 * needs no lock.
 */
export function forUpdate(db: Db, table?: string): RawBuilder<unknown> {
  if (!isPostgres(db)) return sql``
  return table === undefined ? sql`for update` : sql`for update of ${sql.table(table)}`
}

/**
 * Locks the selected rows like forUpdate, but lets other transactions insert rows that refer to them. For rows whose
 * key never changes, and to which rows of many tables refer.
 */
export function forNoKeyUpdate(db: Db): RawBuilder<unknown> {
  return isPostgres(db) ? sql`for no key update` : sql``
}

/** Prevents changes of the selected rows until the transaction ends. Several transactions can hold this lock. */
export function forShare(db: Db): RawBuilder<unknown> {
  return isPostgres(db) ? sql`for share` : sql``
}

/** Prevents deletion of the selected rows until the transaction ends. Several transactions can hold this lock. */
export function forKeyShare(db: Db): RawBuilder<unknown> {
  return isPostgres(db) ? sql`for key share` : sql``
}

/** Like forUpdate, but skips rows locked by another process, so that workers can share a queue. */
export function forUpdateSkipLocked(db: Db): RawBuilder<unknown> {
  return isPostgres(db) ? sql`for update skip locked` : sql``
}

/** Like forUpdate, but fails at once if another transaction has one of the rows (`isLockConflict`). */
export function forUpdateAtOnce(db: Db, table: string): RawBuilder<unknown> {
  return isPostgres(db) ? sql`for update of ${sql.table(table)} nowait` : sql``
}

/** A list as a parameter. In a prepared query it is a placeholder, which is bound at each run. */
const listOf = (db: Db, values: readonly (number | string)[]): unknown => {
  if (!Array.isArray(values)) return values
  return isPostgres(db) ? [...values] : JSON.stringify(values)
}

/**
 * A condition that a text matches a pattern, in any case; `!` is the escape character. SQLite ignores the case of ASCII
 * letters only.
 */
export const isLike = (db: Db, text: Expression<unknown>, pattern: string): Expression<SqlBool> =>
  sql<SqlBool>`${text} ${sql.raw(isPostgres(db) ? 'ilike' : 'like')} ${pattern} escape '!'`

/**
 * A condition that a column has one of these values. Its SQL text does not depend on their number, so it is planned
 * once.
 */
export function isOneOf(
  db: Db,
  column: Expression<unknown>,
  values: readonly (number | string)[],
): Expression<SqlBool> {
  if (isPostgres(db)) return sql<SqlBool>`${column} = any(${listOf(db, values)})`
  return sql<SqlBool>`${column} in (select value from json_each(${listOf(db, values)}))`
}

/**
 * A condition that a column has one of the values that a query returns, which are few compared with the table. They are read
 * first, and each is looked up by the index of the column. PostgreSQL cannot know how few they are, and could read the whole
 * table.
 */
export const isOneOfFew = (
  db: Db,
  column: Expression<unknown>,
  values: Expression<unknown>,
): Expression<SqlBool> =>
  isPostgres(db) ? sql<SqlBool>`${column} = any(array(${values}))` : sql<SqlBool>`${column} in (${values})`

/** The values of a query, sorted: SQLite puts many of them into a set a third faster in their order. */
const inOrder = (values: Expression<unknown>) => sql`(select * from (${values}) group by 1)`

/**
 * A condition that a column has one of the values that a query returns, for rows that another index finds: the values are read
 * once, and each row is looked up among them. `most` is the number of values that have been counted, null if they are more than
 * a set in memory should have. PostgreSQL would otherwise join and sort all rows for a single page.
 */
export function isInSet(
  db: Db,
  column: RawBuilder<unknown>,
  values: Expression<unknown>,
  most: number | null,
): Expression<SqlBool> {
  if (!isPostgres(db)) return sql<SqlBool>`${withoutIndex(db, column)} in ${inOrder(values)}`
  if (most === null) return sql<SqlBool>`${column} in (${values})`
  return sql<SqlBool>`(${column} in (select * from (${values}) as counted limit ${sql.lit(most)})) is true`
}

/** Ids that are read with listOfIds from an index in about the time in which a row is looked up and sorted. */
export const idsInTimeOfRow = (db: Db): number => (isPostgres(db) ? 3 : 5)

/** An aggregate of ids, in the order of its rows, as a JSON array: it is read ten times faster than a row for each id. */
export const listOfIds = (db: Db, column: Expression<unknown>): RawBuilder<string> =>
  isPostgres(db)
    ? sql`'[' || coalesce(string_agg(${column}::text, ','), '') || ']'`
    : sql`json_group_array(${column})`

/**
 * Values as a table with the column `value`, for joins. Its SQL text does not depend on their number, so it is
 * planned once.
 */
export function tableOf<T extends number | string>(
  db: Db,
  values: readonly T[],
  type: 'text' | 'bigint',
): RawBuilder<{ value: T }> {
  if (isPostgres(db)) return sql`(select unnest(${listOf(db, values)}::${sql.raw(type)}[]) as value)`
  return sql`(select value from json_each(${listOf(db, values)}))`
}

/**
 * Pairs of a text and a number, `[["lead",5]]` in JSON, as a table with the columns `text` and `number`, for joins. Like
 * `tableOf`, it is planned once.
 */
export const pairsOf = (db: Db, json: string): RawBuilder<{ text: string; number: number }> =>
  isPostgres(db)
    ? sql`(select pair->>0 as text, (pair->>1)::bigint as number from json_array_elements(${json}::json) as pair)`
    : sql`(select value->>0 as text, value->>1 as number from json_each(${json}))`

/**
 * A condition that two columns have one of these pairs, for rows that another index finds. The pairs are read into a set.
 * PostgreSQL would otherwise join and sort all rows for a single page.
 */
export const isOneOfPairs = (
  db: Db,
  text: Expression<unknown>,
  number: Expression<unknown>,
  json: string,
): Expression<SqlBool> =>
  sql<SqlBool>`((${text}, ${number}) in (select text, number from ${pairsOf(db, json)} as pairs)) is true`

/**
 * Whether a look-up by a complete key finds a row, executed per row. With `exists`, PostgreSQL may first read all
 * matches into a hash to look up a single page of rows.
 */
export const holds = (lookUp: Expression<unknown>): RawBuilder<boolean> =>
  sql<boolean>`coalesce(${lookUp}, 0) = 1`

/**
 * The first rows of several ranges, each sorted by an index, merged in the same order. SQLite merges during the
 * scan. PostgreSQL would sort complete ranges if it rates their index as inefficient, so each range is limited to
 * the rows that can be needed. A single range needs no merging, and PostgreSQL refuses a second order of it.
 */
export function mergedRanges(
  db: Db,
  ranges: readonly RawBuilder<unknown>[],
  order: RawBuilder<unknown>,
  { limit, offset }: { limit: number; offset: number },
): RawBuilder<unknown> {
  const isMerged = isPostgres(db) && ranges.length > 1
  const branches = isMerged
    ? ranges.map((range) => sql`(${range} order by ${order} limit ${limit + offset})`)
    : ranges
  return sql`${sql.join(branches, sql` union all `)} order by ${order} limit ${limit} offset ${offset}`
}

/**
 * Whether a scan of an index tests a condition on its columns before it reads the row only if the query needs no other
 * columns. SQLite then finds the ids first.
 */
export const testsIndexFirst = (db: Db): boolean => !isPostgres(db)

/** A column in a condition for which no index is to be chosen, because another condition has a better one. */
export const withoutIndex = (db: Db, column: RawBuilder<unknown>): RawBuilder<unknown> =>
  isPostgres(db) ? column : sql`+${column}`

/**
 * A column as the order of rows that are sorted, because another index has found them: the index of the order must not be
 * chosen.
 */
export function sortKey(
  db: Db,
  column: RawBuilder<unknown>,
  type: 'number' | 'text' = 'number',
): RawBuilder<unknown> {
  if (!isPostgres(db)) return sql`+${column}`
  return type === 'text' ? sql`(${column} || '')` : sql`(${column} + 0)`
}

/** The function for the position of a text in another: `name(where, what)` is 0 if it is not found. */
export const positionOf = (db: Db): 'strpos' | 'instr' => (isPostgres(db) ? 'strpos' : 'instr')

/** Takes `count` new ids of a table, in ascending order. Ids of a rolled back transaction are not reused. */
export async function nextIds(tx: Tx, table: Counted, count: number): Promise<number[]> {
  if (isPostgres(tx)) {
    const rows = await fromSequence(tx, { sequence: `${table}_ids`, count })
    return rows.map(({ id }) => id)
  }
  const [row] = await fromCounter(tx, { table, count })
  const last = (row as { last: number }).last
  return Array.from({ length: count }, (_, i) => last - count + 1 + i)
}

/** Takes new ids above a floor; skips lower ids of the sequence. */
export async function nextIdsAbove(tx: Tx, table: Counted, floor: number, count: number): Promise<number[]> {
  if (count === 0) return []
  const ids = await nextIds(tx, table, count)
  const missing = floor - (ids[0] as number) + 1
  if (missing <= 0) return ids
  if (missing > count) await nextIds(tx, table, missing - count)
  return nextIds(tx, table, count)
}

const fromSequence = batched((db, { sequence, count }: { sequence: string; count: number }) => ({
  compile: () =>
    sql<{ id: number }>`select nextval(${sequence}) as id from generate_series(1, ${count})`.compile(db),
}))

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

/** The statement that creates the id sequence of a table, for migrations. */
export function idSource(db: Db, table: Counted): string {
  return isPostgres(db)
    ? `create sequence ${table}_ids`
    : `insert into sequences (name, last) values ('${table}', 0)`
}

/** The last id that each sequence has assigned, by table; 0 if it has assigned none. */
export async function lastIds(db: Db): Promise<Record<string, number>> {
  const { rows } = await (isPostgres(db)
    ? sql<SequenceRow>`select left(sequencename::text, -4) as name, coalesce(last_value, 0) as last from pg_sequences
        where schemaname = current_schema() and sequencename like '%\\_ids'`
    : sql<SequenceRow>`select name, last from sequences`
  ).execute(db)
  return Object.fromEntries(rows.map(({ name, last }) => [name, last]))
}

/** Continues the sequence after the largest id and `assigned`, when rows were inserted with their ids (a restore). */
export async function continueIds(tx: Tx, table: Counted, assigned = 0): Promise<void> {
  const { rows } = await sql<{
    last: number | null
  }>`select max(id) as last from ${sql.table(table)}`.execute(tx)
  const last = Math.max(rows[0]?.last ?? 0, assigned, await lastDeletedId(tx, table))
  if (isPostgres(tx))
    await sql`select setval(${`${table}_ids`}, ${Math.max(last, 1)}, ${last > 0})`.execute(tx)
  else await tx.updateTable('sequences').set({ last }).where('name', '=', table).execute()
}

const settingOfDeleted = (table: Counted): string => `last deleted id of ${table}`

/** The greatest noted id of deleted rows of a table; 0 if none was noted. */
const lastDeletedId = async (db: Db, table: Counted): Promise<number> =>
  Number((await readSetting(db, settingOfDeleted(table))) ?? 0)

/** Notes ids of deleted rows, so that a server that is restored from a backup does not assign them again. */
export async function noteDeletedIds(tx: Tx, table: Counted, ids: readonly number[]): Promise<void> {
  const greatest = ids.reduce((most, id) => Math.max(most, id), 0)
  if (greatest > (await lastDeletedId(tx, table))) await raiseSetting(tx, settingOfDeleted(table), greatest)
}

/** Analyses the inserted rows. PostgreSQL would do so only a minute later, and plan with wrong estimates until then. */
export async function countRows(tx: Tx): Promise<void> {
  if (!isPostgres(tx)) return
  await sql`set local statement_timeout = 0`.execute(tx)
  await sql`analyze`.execute(tx)
}

/** Lifts time limits for work without waiting callers: a restore reads for longer than a transaction may be idle. */
export async function liftTimeLimits(tx: Tx): Promise<void> {
  if (!isPostgres(tx)) return
  for (const limit of ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'])
    await sql`set local ${sql.ref(limit)} = 0`.execute(tx)
}

/**
 * Commits without waiting for the disk: if PostgreSQL crashes within the next second, the transaction is lost.
 * SQLite commits it with the others of its group.
 */
export async function commitSoon(tx: Tx): Promise<void> {
  if (isPostgres(tx)) await setCommitSoon(tx, {})
}

const setCommitSoon = preparedWrite((db) => ({
  compile: () => sql`set local synchronous_commit = off`.compile(db),
}))

/** Prevents concurrent migrations by two processes. */
export async function lockForMigration(tx: Tx): Promise<void> {
  if (!isPostgres(tx)) return
  await liftTimeLimits(tx)
  await sql`select pg_advisory_xact_lock(7265616463)`.execute(tx)
  await limitLockWaits(tx)
}

/**
 * Limits waits for tables that others read, such as a backup: requests that come later wait behind this transaction. It is
 * then the victim of contention, and can be repeated.
 */
export async function limitLockWaits(tx: Tx): Promise<void> {
  await sql`set local lock_timeout = 2000`.execute(tx)
}

/**
 * Serialises transactions that use the same names, where no row exists yet to lock. Locks in the order of the keys,
 * to prevent deadlocks.
 */
export async function lockNames(tx: Tx, names: readonly string[]): Promise<void> {
  if (!isPostgres(tx)) return
  await sql`select pg_advisory_xact_lock(keys.key) from (
    select distinct hashtextextended(name, 0) as key from unnest(${[...names]}::text[]) as name order by key) as keys`.execute(
    tx,
  )
}

/**
 * Tries to lock a name until the transaction ends; returns whether it succeeded. Always succeeds with SQLite, where the
 * transaction itself is the lock: another process waits until it ends.
 */
export async function tryLockName(db: Db, name: string): Promise<boolean> {
  if (!isPostgres(db)) return true
  const { rows } = await sql<{ has: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${name}, 1)) as has`.execute(db)
  return rows[0]?.has ?? false
}

/**
 * The age in milliseconds of the oldest open transaction that can write; null if there is none. With SQLite,
 * one transaction writes at a time, and ids rise from each to the next (S9), so there is nothing to wait for. A transaction
 * that has written nothing for ten seconds is a reader, such as a backup.
 */
export async function oldestTransaction(db: Db): Promise<number | null> {
  if (!isPostgres(db)) return null
  const { rows } = await sql<{ age: number | null }>`
    select (extract(epoch from clock_timestamp() - min(xact_start)) * 1000)::float8 as age from pg_stat_activity
    where datname = current_database() and usename = current_user and pid <> pg_backend_pid()
      and (backend_xid is not null or xact_start > clock_timestamp() - interval '10 seconds')`.execute(db)
  return rows[0]?.age ?? null
}
