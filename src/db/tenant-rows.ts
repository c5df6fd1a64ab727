import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { columnTypes } from './columns.ts'
import type { Db, Tx } from './database.ts'
import { isPostgres } from './dialect.ts'
import { type Tables, tables } from './tables.ts'

/** Rows of a transaction: some 20 ms of the embedded database. */
const AT_ONCE = 250

/** A table with rows of accounts. */
export interface TenantTable {
  name: keyof Tables
  /** The columns of its primary key, without the account. */
  key: readonly string[]
  /** Tables without an account, whose rows belong to rows of this one. */
  dependents: readonly Reference[]
}

/** A foreign key of one column. */
interface Reference {
  table: keyof Tables
  column: string
  to_table: keyof Tables
  to_column: string
}

/** A part of a table in the order of its key. Without `end`, it reaches to the end of the table. */
interface Range {
  after?: readonly unknown[] | undefined
  end?: readonly unknown[] | undefined
}

/**
 * The tables with rows of accounts, except that of the accounts themselves, in an order in which they can be emptied: a row is
 * deleted before the row that it refers to.
 */
export async function tenantTables(db: Db): Promise<TenantTable[]> {
  const keys = await primaryKeys(db)
  const references = await foreignKeys(db)
  const dependents = references.filter(({ table }) => !hasAccount(table))
  return tables
    .filter(hasAccount)
    .map((name) => ({
      name,
      key: (keys.get(name) ?? []).filter((column) => column !== 'account_id'),
      dependents: dependents.filter(({ to_table }) => to_table === name),
    }))
    .reverse()
}

const hasAccount = (table: keyof Tables): boolean => columnTypes(table).has('account_id')

/** The number of rows that an account has in a table, without those of its dependents. */
export async function countTenantRows(db: Db, { name }: TenantTable, account_id: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ${sql.table(name)} where account_id = ${account_id}`.execute(db)
  return Number(rows[0]?.count ?? 0)
}

/**
 * The rows of a table of an account to which rows of other accounts refer, by their keys, with the number of those accounts.
 */
export async function usedByOthers(
  db: Db,
  account_id: number,
  to_table: keyof Tables,
): Promise<Map<string, number>> {
  const users = new Map<string, Set<number>>()
  const references = (await foreignKeys(db)).filter(
    (one) => one.to_table === to_table && hasAccount(one.table),
  )
  for (const { table, column, to_column } of references) {
    // Two statements, because the tables can have different placements.
    const own = await sql<{ key: string }>`
      select ${sql.ref(to_column)} as key from ${sql.table(to_table)} where account_id = ${account_id}`.execute(
      db,
    )
    if (own.rows.length === 0) continue
    const { rows } = await sql<{ key: string; account_id: number }>`
      select distinct ${sql.ref(column)} as key, account_id from ${sql.table(table)}
        where account_id <> ${account_id} and ${sql.ref(column)} in (${sql.join(own.rows.map(({ key }) => key))})`.execute(
      db,
    )
    for (const row of rows) users.set(row.key, (users.get(row.key) ?? new Set()).add(Number(row.account_id)))
  }
  return new Map([...users].map(([key, accounts]) => [key, accounts.size]))
}

/**
 * Deletes the rows of an account in a table, in windows with a transaction each. `run` carries out each of them. Returns the
 * number of deleted rows, without those of its dependents.
 */
export async function deleteTenantRows(
  db: Db,
  table: TenantTable,
  account_id: number,
  run: (work: (tx: Tx) => Promise<number>) => Promise<number>,
): Promise<number> {
  let deleted = 0
  let after: readonly unknown[] | undefined
  for (;;) {
    const end = await endOfWindow(db, table, account_id, after)
    const range = { after, end }
    deleted += await run((tx) => deleteRange(tx, table, account_id, range))
    if (!end) return deleted
    after = end
  }
}

/** Deletes the rows of an account in a part of a table, which is all of it by default, with their dependents. */
export async function deleteRange(
  tx: Tx,
  { name, key, dependents }: TenantTable,
  account_id: number,
  range: Range = {},
): Promise<number> {
  const isInRange = conditionOf(key, account_id, range)
  for (const { table, column, to_column } of dependents)
    await sql`delete from ${sql.table(table)} where ${sql.ref(column)} in
      (select ${sql.ref(to_column)} from ${sql.table(name)} where ${isInRange})`.execute(tx)
  const { numAffectedRows } = await sql`delete from ${sql.table(name)} where ${isInRange}`.execute(tx)
  return Number(numAffectedRows ?? 0)
}

/** The key of the last row of the next window; undefined if fewer rows are left. */
async function endOfWindow(
  db: Db,
  { name, key }: TenantTable,
  account_id: number,
  after: Range['after'],
): Promise<unknown[] | undefined> {
  if (key.length === 0) return undefined
  const { rows } = await sql<Record<string, unknown>>`
    select ${columns(key)} from ${sql.table(name)} where ${conditionOf(key, account_id, { after })}
      order by ${columns(key)} limit 1 offset ${sql.lit(AT_ONCE - 1)}`.execute(db)
  const last = rows[0]
  return last && key.map((column) => last[column])
}

function conditionOf(key: readonly string[], account_id: number, { after, end }: Range): RawBuilder<SqlBool> {
  const conditions = [
    sql`account_id = ${account_id}`,
    ...(after ? [sql`(${columns(key)}) > (${sql.join(after)})`] : []),
    ...(end ? [sql`(${columns(key)}) <= (${sql.join(end)})`] : []),
  ]
  return sql`${sql.join(conditions, sql` and `)}`
}

const columns = (names: readonly string[]) => sql.join(names.map((name) => sql.ref(name)))

/** The columns of each primary key, in their order. */
async function primaryKeys(db: Db): Promise<Map<string, string[]>> {
  const query = isPostgres(db)
    ? sql<{ table: string; column: string }>`
        select relname as "table", attname as "column"
        from pg_index join pg_class on pg_class.oid = indrelid
        join pg_attribute on attrelid = indrelid and attnum = any(indkey)
        where indisprimary and relnamespace = current_schema()::regnamespace
        order by relname, array_position(indkey::int2[], attnum)`
    : sql<{ table: string; column: string }>`
        select one.name as "table", info.name as "column"
        from sqlite_schema as one join pragma_table_info(one.name) as info
        where one.type = 'table' and info.pk > 0 order by one.name, info.pk`
  const { rows } = await query.execute(db)
  const byTable = Map.groupBy(rows, ({ table }) => table)
  return new Map([...byTable].map(([table, own]) => [table, own.map(({ column }) => column)]))
}

/** The foreign keys that have one column. */
async function foreignKeys(db: Db): Promise<Reference[]> {
  const query = isPostgres(db)
    ? sql<Reference>`
        select own.relname as "table", of_own.attname as "column", other.relname as to_table, of_other.attname as to_column
        from pg_constraint
        join pg_class as own on own.oid = conrelid
        join pg_class as other on other.oid = confrelid
        join pg_attribute as of_own on of_own.attrelid = conrelid and of_own.attnum = conkey[1]
        join pg_attribute as of_other on of_other.attrelid = confrelid and of_other.attnum = confkey[1]
        where contype = 'f' and cardinality(conkey) = 1 and own.relnamespace = current_schema()::regnamespace`
    : sql<Reference>`
        select one.name as "table", key."from" as "column", key."table" as to_table, key."to" as to_column
        from sqlite_schema as one join pragma_foreign_key_list(one.name) as key
        where one.type = 'table'
          and not exists (select 1 from pragma_foreign_key_list(one.name) as more where more.id = key.id and more.seq > 0)`
  // Partitions have the foreign keys of their table, too.
  const known = new Set<string>(tables)
  return (await query.execute(db)).rows.filter(
    ({ table, to_table }) => known.has(table) && known.has(to_table),
  )
}
