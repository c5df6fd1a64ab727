import { sql } from 'kysely'
import { onTestFinished } from 'vitest'
import { type Db, openDatabase } from '../src/db/database.ts'
import { idSource, translateDdl } from '../src/db/dialect.ts'
import { migrations } from '../src/db/migrations/migrations.ts'
import { emptyDatabase, type Place } from './databases.ts'

/** A database as the version before a migration left it, with all its indexes. */
export async function olderDatabase(before: string): Promise<{ db: Db; place: Place }> {
  const place = await emptyDatabase()
  const db = openDatabase(place, { onCommitFailure: () => {} })
  onTestFinished(() => db.destroy())
  const end = migrations.findIndex(({ name }) => name === before)
  await db.transaction().execute(async (tx) => {
    const run = (statement: string) => sql.raw(translateDdl(tx, statement)).execute(tx)
    await run('create table migrations (name text primary key, applied_at bigint not null)')
    await run('create table sequences (name text primary key, last bigint not null)')
    for (const { name, statements, indexes = [], counted, fill } of migrations.slice(0, end)) {
      for (const statement of [...statements, ...indexes]) await run(statement)
      for (const table of counted) await sql.raw(idSource(tx, table)).execute(tx)
      await fill?.(tx)
      await tx.insertInto('migrations').values({ name, applied_at: 1 }).execute()
    }
  })
  return { db, place }
}
