import { sql } from 'kysely'
import type { Db, Tx } from './database.ts'
import { idSource, lockForMigration, translateDdl } from './dialect.ts'
import type { Migration } from './migrations/migration.ts'
import { migrations as all } from './migrations/migrations.ts'
import { writeStatistics } from './statistics.ts'

/** A newer version of the program has migrated the database. */
export class NewerSchemaError extends Error {
  override name = 'NewerSchemaError'
}

/**
 * Migrates the schema to this version, completely or not at all, and returns the names of the applied migrations.
 * Throws NewerSchemaError if the database has migrations that this version does not know. Tests pass those of an older version.
 */
export async function migrate(
  db: Db,
  now: number,
  migrations: readonly Migration[] = all,
): Promise<string[]> {
  return db.transaction().execute(async (tx) => {
    await lockForMigration(tx)
    const applied = await appliedMigrations(tx)
    const unknown = applied.filter((name) => !migrations.some((migration) => migration.name === name))
    if (unknown.length > 0)
      throw new NewerSchemaError(`The database is newer than this version: ${unknown.join(', ')}`)
    const pending = migrations.filter(({ name }) => !applied.includes(name))
    for (const migration of pending) await apply(tx, migration, now)
    if (pending.length > 0) await writeStatistics(tx)
    return pending.map(({ name }) => name)
  })
}

/** Whether the database has tables of this program. */
export async function hasSchema(db: Db): Promise<boolean> {
  const tables = await db.introspection.getTables()
  return tables.some(({ name }) => name === 'migrations')
}

async function appliedMigrations(tx: Tx): Promise<string[]> {
  for (const table of [
    'migrations (name text primary key, applied_at bigint not null)',
    'sequences (name text primary key, last bigint not null)',
  ])
    await sql.raw(translateDdl(tx, `create table if not exists ${table}`)).execute(tx)
  const rows = await tx.selectFrom('migrations').select('name').execute()
  return rows.map((row) => row.name)
}

async function apply(tx: Tx, { name, counted, statements, fill }: Migration, now: number): Promise<void> {
  for (const statement of statements) await sql.raw(translateDdl(tx, statement)).execute(tx)
  for (const table of counted) await sql.raw(idSource(tx, table)).execute(tx)
  await fill?.(tx)
  await tx.insertInto('migrations').values({ name, applied_at: now }).execute()
}
