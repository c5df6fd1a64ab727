import { sql } from 'kysely'
import { openDatabase } from '../../src/db/database.ts'
import { tables } from '../../src/db/tables.ts'
import { freshDatabase } from './databases.ts'
import type { SharedDatabase } from './shared-database.ts'

/** Tables, functions and triggers. */
const OBJECTS = `(select count(*) from pg_class) + (select count(*) from pg_proc) + (select count(*) from pg_trigger)`

/**
 * A function, because PostgreSQL keeps the plans of its statements; without foreign keys, their order does not matter.
 * `expected` is the number of objects that the database was created with.
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

/** Opens a PostgreSQL database that worlds can share. */
export async function openPostgres(): Promise<SharedDatabase> {
  const url = await freshDatabase('', 'postgres')
  const db = openDatabase({ database_url: url, data_dir: '' }, { onCommitFailure: () => {} })
  await emptied.execute(db)
  const [counted] = (await sql.raw<{ objects: number }>(`select ${OBJECTS} as objects`).execute(db)).rows
  const objects = counted?.objects ?? 0
  const empty = async () => {
    const { rows } = await sql<{ is_empty: boolean }>`select emptied(${objects}) as is_empty`.execute(db)
    return rows[0]?.is_empty === true
  }
  return { url, folder: undefined, db, empty }
}
