import { sql } from 'kysely'
import { type Db, openDatabase } from '../src/db/database.ts'
import { tables } from '../src/db/tables.ts'
import { dropDatabase, freshDatabase } from './databases.ts'

interface SharedDatabase {
  url: string
  db: Db
}

/**
 * The PostgreSQL database of a thread. A new database and its first connections take longer than an ordinary test, so
 * the worlds of a thread use one in turn and empty it afterwards.
 */
let kept: Promise<SharedDatabase> | undefined
let isBorrowed = false

/** Leftovers of a test besides rows: tables, functions, triggers and planner statistics. */
const leftovers = sql<{ objects: number; is_analyzed: boolean }>`select
  (select count(*) from pg_class) + (select count(*) from pg_proc) + (select count(*) from pg_trigger) as objects,
  exists (select from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and reltuples > 0
    and relname <> 'migrations') as is_analyzed`

let objects = 0

/** The database, empty; undefined while another world has it. */
export async function borrowDatabase(): Promise<SharedDatabase | undefined> {
  if (isBorrowed) return undefined
  isBorrowed = true
  kept ??= open()
  return kept
}

async function open(): Promise<SharedDatabase> {
  const url = await freshDatabase('', 'postgres')
  const db = openDatabase({ database_url: url, data_dir: '' }, { onCommitFailure: () => {} })
  objects = (await leftovers.execute(db)).rows[0]?.objects ?? 0
  return { url, db }
}

/** Empties the database for the next world, or drops it if that is not enough. */
export async function returnDatabase({ url, db }: SharedDatabase): Promise<void> {
  if (!(await isEmptied(db))) {
    kept = undefined
    await db.destroy()
    dropDatabase(url)
  }
  isBorrowed = false
}

/** Deletes all rows and restarts all ids. False if the database still differs from a new one. */
async function isEmptied(db: Db): Promise<boolean> {
  try {
    const [left] = (await leftovers.execute(db)).rows
    if (left?.objects !== objects || left.is_analyzed) return false
    const deletes = tables.map((table) => `delete from ${table};`).join('\n')
    await db.transaction().execute(async (tx) => {
      // Without foreign keys, the order does not matter.
      await sql`set local session_replication_role = replica`.execute(tx)
      await sql
        .raw(
          `do $$ begin
            ${deletes}
            perform setval(format('%I.%I', schemaname, sequencename)::regclass, start_value, false)
              from pg_sequences where last_value is not null;
          end $$`,
        )
        .execute(tx)
    })
    return true
  } catch {
    // A test left a transaction open, or has ended the connections.
    return false
  }
}
