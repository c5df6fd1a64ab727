import { writeSync } from 'node:fs'
import { sql } from 'kysely'
import { openDatabase } from '../../src/db/database.ts'

/**
 * Writes to SQLite as fast as possible with many parallel writes, and prints acknowledged ids synchronously.
 * src/db/crash.test.ts kills it.
 */
const [folder = '', first = '0'] = process.argv.slice(2)
const db = openDatabase({ data_dir: folder, database_url: '' }, { onCommitFailure: () => process.exit(70) })
await db.transaction().execute(async (tx) => {
  await sql`create table if not exists written (id integer primary key, half integer not null)`.execute(tx)
})

let next = Number(first)
async function write(): Promise<never> {
  for (;;) {
    const id = next++
    await db.transaction().execute(async (tx) => {
      await sql`insert into written values (${id * 2}, 1)`.execute(tx)
      await sql`insert into written values (${id * 2 + 1}, 2)`.execute(tx)
    })
    writeSync(1, `${id}\n`)
  }
}
await Promise.all(Array.from({ length: 16 }, write))
