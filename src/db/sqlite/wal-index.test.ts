import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { emptyDatabase } from '../../../test/databases/databases.ts'
import { type Db, openDatabase } from '../database.ts'

/** The locks that this process has on a file, as Linux lists them. */
const locksOn = (file: string): string[] =>
  readFileSync('/proc/locks', 'utf8')
    .split('\n')
    .filter((line) => line.includes(`:${statSync(file).ino} `) && line.includes(` ${process.pid} `))

test.runIf(existsSync('/proc/locks'))('closing one of two handles keeps the locks of the other', async () => {
  const { data_dir } = await emptyDatabase('sqlite')
  const [kept, closed] = [1, 2].map(() => {
    const db = openDatabase({ database_url: '', data_dir }, { onCommitFailure: () => {} })
    onTestFinished(() => db.destroy())
    return db
  }) as [Db, Db]
  for (const db of [kept, closed]) await sql`select 1`.execute(db)
  const shared = join(data_dir, 'patchbay.db-shm')
  const before = locksOn(shared)
  expect(before.length).toBeGreaterThan(0)
  await closed.destroy()
  expect(locksOn(shared)).toHaveLength(before.length)
})
