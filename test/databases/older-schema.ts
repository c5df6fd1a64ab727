import { sql } from 'kysely'
import type { Tx } from '../../src/db/database.ts'
import { idSource, translateDdl } from '../../src/db/dialect.ts'
import type { Migration } from '../../src/db/migrations/migration.ts'
import { migrations } from '../../src/db/migrations/migrations.ts'

/** The migrations of the versions before this one. */
export function migrationsBefore(name: string): readonly Migration[] {
  const end = migrations.findIndex((migration) => migration.name === name)
  if (end < 0) throw new Error(`there is no migration ${name}`)
  return migrations.slice(0, end)
}

/** Creates the schema that the version before a migration had, with all its indexes, in an empty database. */
export async function createOlderSchema(tx: Tx, before: string): Promise<void> {
  const run = (statement: string) => sql.raw(translateDdl(tx, statement)).execute(tx)
  await run('create table migrations (name text primary key, applied_at bigint not null)')
  await run('create table sequences (name text primary key, last bigint not null)')
  for (const { name, statements, indexes = [], counted, fill } of migrationsBefore(before)) {
    for (const statement of [...statements, ...indexes]) await run(statement)
    for (const table of counted) await sql.raw(idSource(tx, table)).execute(tx)
    await fill?.(tx)
    await tx.insertInto('migrations').values({ name, applied_at: 1 }).execute()
  }
}
