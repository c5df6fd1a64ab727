import { sql } from 'kysely'
import { OperatorError } from '../../errors.ts'
import type { Db, Tx } from '../database.ts'
import { isPostgres, lockForMigration } from '../dialect.ts'
import { hasSchema, migrateLocked, newerSchema, schemaState, shown, storedTables } from '../migrate.ts'
import type { Migration } from '../migrations/migration.ts'
import { counted, tables } from '../tables.ts'
import { readDistribution } from './citus.ts'
import { isDistributed } from './distributed.ts'
import { placements } from './distribution.ts'
import { findPartitioned } from './partitions.ts'

/** The database of a restore has tables that the rows of the backup do not fit into. */
class OtherSchemaError extends OperatorError {
  override name = 'OtherSchemaError'
}

/**
 * Gives an empty database the schema of a backup, which is that of these migrations, in the transaction that loads the rows.
 * A newer schema is dropped first. `migrateLocked` takes the rows from there to this version (S49).
 */
export async function takeSchema(tx: Tx, ofBackup: readonly Migration[], now: number): Promise<void> {
  await lockForMigration(tx)
  // Another restore can have had the lock until now.
  await requireEmpty(tx)
  if (await hasSchema(tx)) {
    const { applied, unknown } = await schemaState(tx)
    const newer = applied.filter((name) => !ofBackup.some((migration) => migration.name === name))
    if (newer.some((name) => !unknown.includes(name))) {
      if (unknown.length > 0) throw newerSchema(unknown)
      await requirePlain(tx, newer)
      await dropSchema(tx)
    }
  }
  await migrateLocked(tx, now, ofBackup, 'now')
}

/**
 * Partitions and distributed tables are not made again: both take more locks than a transaction may have, and the early
 * migrations change plain and distributed tables in one statement.
 */
async function requirePlain(tx: Tx, newer: readonly string[]): Promise<void> {
  if (!isPostgres(tx)) return
  await readDistribution(tx)
  const split = (await findPartitioned(tx)).size > 0 ? 'partitioned' : undefined
  const layout = isDistributed(tx) ? 'distributed' : split
  if (!layout) return
  const command = { distributed: 'distribute', partitioned: 'partition' }[layout]
  throw new OtherSchemaError(
    `The backup is of an older version: it lacks ${shown(newer)}. The tables of the database are ${layout} already. ` +
      `Restore the backup into a database without tables, and run "patchbay ${command}" afterwards.`,
  )
}

/** Drops the tables of this program, which must be empty, and what belongs to them. */
async function dropSchema(tx: Tx): Promise<void> {
  const stored = await storedTables(tx)
  const own = Object.keys(placements).filter((table) => stored.has(table))
  const run = (statement: string) => sql.raw(statement).execute(tx)
  if (!isPostgres(tx)) {
    for (const table of own) await run(`drop table ${table}`)
    return
  }
  await run(`lock table ${own.join(', ')} in access exclusive mode`)
  await requireEmpty(tx)
  await run(`drop table ${own.join(', ')}`)
  await run(`drop sequence if exists ${counted.map((table) => `${table}_ids`).join(', ')}`)
  await run('drop function if exists note_changed_table, tables_changed_since')
}

async function requireEmpty(tx: Tx): Promise<void> {
  if (!(await isEmptyDatabase(tx)))
    throw new OtherSchemaError('The database is not empty. Restore a backup into an empty one.')
}

/** Whether the database contains no data. A start or a migration alone writes settings, such as the check of the master key. */
export async function isEmptyDatabase(db: Db): Promise<boolean> {
  const stored = await storedTables(db)
  for (const table of tables.filter((name) => name !== 'settings' && stored.has(name))) {
    const { rows } = await sql`select 1 from ${sql.table(table)} limit 1`.execute(db)
    if (rows.length > 0) return false
  }
  return true
}
