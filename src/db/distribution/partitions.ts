import { sql } from 'kysely'
import type { Db, Tx } from '../database.ts'
import { liftTimeLimits, limitLockWaits } from '../dialect.ts'
import type { Tables } from '../tables.ts'

/**
 * The tables that grow with the work of the accounts. Each key begins with the account, so hash partitions by account
 * need no other statements, and a statement about one account reads one partition (PostgreSQL manual, 5.12).
 */
export const partitionedTables = [
  'entities',
  'field_values',
  'field_keys',
  'search_words',
  'entity_tags',
  'links',
  'tasks',
  'notes',
  'events',
  'event_keys',
  'chat_messages',
] as const

/** The names of the partitioned tables of a PostgreSQL database. */
export async function findPartitioned(db: Db | Tx): Promise<Set<string>> {
  const { rows } = await sql<{ name: string }>`select relname as name from pg_class
    where relkind = 'p' and relnamespace = current_schema()::regnamespace`.execute(db)
  return new Set(rows.map(({ name }) => name))
}

/** The partitions of a table, in order. */
export async function partitionsOf(db: Db, table: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select relname as name from pg_inherits
    join pg_class on pg_class.oid = inhrelid where inhparent = ${table}::regclass order by inhrelid`.execute(
    db,
  )
  return rows.map(({ name }) => name)
}

/**
 * Moves the rows of a table into `count` hash partitions by account, in one transaction, and returns their number; null if
 * the table has partitions already. Other statements on the table wait until it ends. The indexes and constraints keep
 * their names and definitions.
 */
export function partitionTable(db: Db, table: keyof Tables, count: number): Promise<number | null> {
  return db.transaction().execute(async (tx) => {
    await liftTimeLimits(tx)
    await limitLockWaits(tx)
    const run = (statement: string) => sql.raw(statement).execute(tx)
    await run(`lock table ${table} in access exclusive mode`)
    // Another command can have had the lock until now.
    if ((await findPartitioned(tx)).has(table)) return null
    const definitions = await definitionsOf(tx, table)
    const parent = `${table}_parted`
    await run(`create table ${parent} (like ${table} including defaults including generated including storage)
      partition by hash (account_id)`)
    for (let i = 0; i < count; i++)
      await run(`create table ${table}_p${i} partition of ${parent}
        for values with (modulus ${count}, remainder ${i})`)
    const { numAffectedRows = 0n } = await run(`insert into ${parent} select * from ${table}`)
    await run(`drop table ${table}`)
    await run(`alter table ${parent} rename to ${table}`)
    for (const definition of definitions) await run(definition)
    await run(`analyze ${table}`)
    return Number(numAffectedRows)
  })
}

/** The statements that add the constraints and indexes of a table again. */
async function definitionsOf(tx: Tx, table: string): Promise<string[]> {
  const constraints = await sql<{ statement: string }>`
    select format('alter table %I add constraint %I %s', ${table}::text, conname, pg_get_constraintdef(oid)) as statement
    from pg_constraint where conrelid = ${table}::regclass and contype in ('p', 'u', 'f', 'c') order by conname`.execute(
    tx,
  )
  const indexes = await sql<{ statement: string }>`
    select pg_get_indexdef(indexrelid) as statement from pg_index where indrelid = ${table}::regclass
      and not exists (select from pg_constraint where conindid = indexrelid) order by indexrelid`.execute(tx)
  return [...constraints.rows, ...indexes.rows].map(({ statement }) => statement)
}
