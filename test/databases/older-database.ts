import { onTestFinished } from 'vitest'
import { type Db, openDatabase } from '../../src/db/database.ts'
import { emptyDatabase, type Place } from './databases.ts'
import { createOlderSchema } from './older-schema.ts'

/** A database as the version before a migration left it, with all its indexes. */
export async function olderDatabase(before: string): Promise<{ db: Db; place: Place }> {
  const place = await emptyDatabase()
  const db = openDatabase(place, { onCommitFailure: () => {} })
  onTestFinished(() => db.destroy())
  await db.transaction().execute((tx) => createOlderSchema(tx, before))
  return { db, place }
}
