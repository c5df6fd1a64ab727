import { sql } from 'kysely'
import { OperatorError } from '../errors.ts'
import type { Db, Tx } from './database.ts'
import { idSource, lockForMigration, translateDdl } from './dialect.ts'
import { placeNewTables, readDistribution } from './distribution/citus.ts'
import { isDistributed } from './distribution/distributed.ts'
import type { Migration } from './migrations/migration.ts'
import { migrations as ofThisVersion } from './migrations/migrations.ts'
import { requireSuitable } from './postgres/requirements.ts'
import { writeStatistics } from './statistics.ts'

const MOST_SHOWN = 3

/** A newer version of the program has migrated the database. */
export class NewerSchemaError extends OperatorError {
  override name = 'NewerSchemaError'
}

/**
 * Migrates the schema to this version, completely or not at all, and returns the names of the applied migrations. Leaves
 * out the indexes that a database with data gets later (`online-indexes.ts`). Throws NewerSchemaError if the database
 * has migrations that this version does not know, unless they only add to the schema, and PartlyDistributedError if only
 * some of its tables are distributed. Tests pass the migrations of an older version.
 */
export async function migrate(
  db: Db,
  now: number,
  migrations: readonly Migration[] = ofThisVersion,
): Promise<string[]> {
  return db.transaction().execute(async (tx) => {
    await lockForMigration(tx)
    return migrateLocked(tx, now, migrations, 'later')
  })
}

/**
 * Like `migrate`, within a transaction that holds its lock. `indexes` says when a database with data gets the indexes of the
 * migrations.
 */
export async function migrateLocked(
  tx: Tx,
  now: number,
  migrations: readonly Migration[],
  indexes: 'now' | 'later',
): Promise<string[]> {
  await readDistribution(tx)
  const applied = await appliedMigrations(tx)
  const isKnown = (name: string) => migrations.some((migration) => migration.name === name)
  const additive = await additiveMigrations(tx)
  const unknown = applied.filter((name) => !isKnown(name) && !additive.has(name))
  if (unknown.length > 0) throw newerSchema(unknown)
  const pending = migrations.filter(({ name }) => !applied.includes(name))
  if (applied.length === 0) await requireSuitable(tx)
  const withIndexes = indexes === 'now' || applied.length === 0
  for (const migration of pending) await apply(tx, migration, now, withIndexes)
  await writeStatistics(tx)
  return pending.map(({ name }) => name)
}

/** The refusal of a database that has migrations of a newer version. */
export const newerSchema = (unknown: readonly string[]): NewerSchemaError =>
  new NewerSchemaError(`The database is newer than this version: ${unknown.join(', ')}`)

/** The names of migrations in a message, which shows at most three. */
export function shown(names: readonly string[]): string {
  const more = names.length - MOST_SHOWN
  return more > 0 ? `${names.slice(0, MOST_SHOWN).join(', ')} and ${more} more` : names.join(', ')
}

/** The names of all tables of the database. */
export async function storedTables(db: Db): Promise<Set<string>> {
  return new Set((await db.introspection.getTables()).map(({ name }) => name))
}

/** Whether the database has tables of this program. */
export const hasSchema = async (db: Db): Promise<boolean> => (await storedTables(db)).has('migrations')

/** The schema of a database beside that of this version, by the names of migrations. */
export interface SchemaState {
  /** In the order of application. */
  applied: string[]
  /** Those of this version that the database lacks. */
  missing: string[]
  /** Those that this version does not know. */
  unknown: string[]
  /** Those of `unknown` with which this version does not work, because they do more than add to the schema. */
  breaking: string[]
}

/** Compares the schema with that of this version, and changes nothing. Throws if it is not one of this program. */
export async function schemaState(db: Db): Promise<SchemaState> {
  const rows = await db.selectFrom('migrations').select('name').orderBy('name').execute()
  const applied = rows.map(({ name }) => name)
  const known = ofThisVersion.map(({ name }) => name)
  const unknown = applied.filter((name) => !known.includes(name))
  // An older schema can be without this table.
  const additive = unknown.length > 0 ? await additiveMigrations(db) : new Set()
  return {
    applied,
    missing: known.filter((name) => !applied.includes(name)),
    unknown,
    breaking: unknown.filter((name) => !additive.has(name)),
  }
}

/** Whether a database has all migrations of this version. Throws if it is not one of this program. */
export const isMigrated = async (db: Db): Promise<boolean> => (await schemaState(db)).missing.length === 0

async function appliedMigrations(tx: Tx): Promise<string[]> {
  for (const table of [
    'migrations (name text primary key, applied_at bigint not null)',
    'sequences (name text primary key, last bigint not null)',
    'additive_migrations (name text primary key)',
  ])
    await sql.raw(translateDdl(tx, `create table if not exists ${table}`)).execute(tx)
  const rows = await tx.selectFrom('migrations').select('name').execute()
  return rows.map((row) => row.name)
}

/** The names of applied migrations with which the release before them works. */
async function additiveMigrations(db: Db): Promise<Set<string>> {
  const rows = await db.selectFrom('additive_migrations').select('name').execute()
  return new Set(rows.map(({ name }) => name))
}

async function apply(tx: Tx, migration: Migration, now: number, withIndexes: boolean): Promise<void> {
  const { name, counted, statements, indexes = [], fill, isAdditive } = migration
  const all = withIndexes ? [...statements, ...indexes] : statements
  for (const statement of all) await sql.raw(translateDdl(tx, statement)).execute(tx)
  for (const table of counted) await sql.raw(idSource(tx, table)).execute(tx)
  if (isDistributed(tx)) await placeNewTables(tx)
  await fill?.(tx)
  await tx.insertInto('migrations').values({ name, applied_at: now }).execute()
  if (isAdditive) await tx.insertInto('additive_migrations').values({ name }).execute()
}
