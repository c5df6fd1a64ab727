import { sql } from 'kysely'
import { type Db, openDatabase } from '../src/db/database.ts'
import { tables } from '../src/db/tables.ts'
import { dropDatabase, freshDatabase, isDistributedRun } from './databases.ts'

interface SharedDatabase {
  url: string
  db: Db
  /** The number of objects that it was created with. */
  objects: number
}

/**
 * The PostgreSQL database of a thread. A new database and its first connections take longer than an ordinary test, so
 * the worlds of a thread use one in turn and empty it afterwards.
 */
let kept: Promise<SharedDatabase> | undefined
let isBorrowed = false

/**
 * The database, empty; undefined while another world has it, or where it cannot be emptied: with Citus, foreign keys are
 * checked on other servers.
 */
export async function borrowDatabase(): Promise<SharedDatabase | undefined> {
  if (isBorrowed || isDistributedRun()) return undefined
  isBorrowed = true
  kept ??= open()
  return kept
}

/** Tables, functions and triggers. */
const OBJECTS = `(select count(*) from pg_class) + (select count(*) from pg_proc) + (select count(*) from pg_trigger)`

/**
 * Deletes all rows and restarts all ids. False if a test left something else: an object, or statistics of the planner.
 * A function, because PostgreSQL keeps the plans of its statements; without foreign keys, their order does not matter.
 */
const emptied = sql.raw(`create function emptied(expected bigint) returns boolean
  language plpgsql set session_replication_role = replica as $$ begin
    if expected <> ${OBJECTS} or exists (select from pg_class where relnamespace = 'public'::regnamespace
      and relkind = 'r' and reltuples > 0 and relname not in ('migrations', 'changed_tables')) then
      return false;
    end if;
    ${[...tables, 'request_batches'].map((table) => `delete from ${table};`).join('\n')}
    perform setval(format('%I.%I', schemaname, sequencename)::regclass, start_value, false)
      from pg_sequences where last_value is not null;
    return true;
  end $$`)

async function open(): Promise<SharedDatabase> {
  const url = await freshDatabase('', 'postgres')
  const db = openDatabase({ database_url: url, data_dir: '' }, { onCommitFailure: () => {} })
  await emptied.execute(db)
  const [counted] = (await sql.raw<{ objects: number }>(`select ${OBJECTS} as objects`).execute(db)).rows
  return { url, db, objects: counted?.objects ?? 0 }
}

/** Empties the database for the next world, or drops it if that is not enough. */
export async function returnDatabase(database: SharedDatabase): Promise<void> {
  if (!(await isEmptied(database))) {
    kept = undefined
    await database.db.destroy()
    dropDatabase(database.url)
  }
  isBorrowed = false
}

async function isEmptied({ db, objects }: SharedDatabase): Promise<boolean> {
  try {
    const { rows } = await sql<{ is_empty: boolean }>`select emptied(${objects}) as is_empty`.execute(db)
    return rows[0]?.is_empty === true
  } catch {
    // A test left a transaction open, or has ended the connections.
    return false
  }
}
