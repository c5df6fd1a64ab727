import { sql } from 'kysely'
import type { Context } from '../../src/context.ts'
import { columnTypes } from '../../src/db/columns.ts'
import { tables } from '../../src/db/tables.ts'
import { kindOfRun } from '../databases/databases.ts'

/** Returns the tables that were written since the previous call, without rolled-back writes. */
export type ChangeWatch = () => Promise<string[]>

const LOG = 'seen_changes'

/** Creates triggers that record every added, changed or deleted row. */
export async function watchChanges({ db }: Context): Promise<ChangeWatch> {
  const isPostgres = kindOfRun() === 'postgres'
  const statements = isPostgres
    ? [
        `create table ${LOG} (id bigserial primary key, name text not null)`,
        `create function see_change() returns trigger language plpgsql as
         $$ begin insert into ${LOG} (name) values (tg_table_name); return null; end $$`,
        ...tables.map(
          (table) =>
            `create trigger see_change after insert or update or delete on ${table}
             for each row execute function see_change()`,
        ),
      ]
    : [
        `create table ${LOG} (id integer primary key autoincrement, name text not null)`,
        ...tables.flatMap((table) =>
          ['insert', 'update', 'delete'].map(
            (action) =>
              `create trigger see_${action}_${table} after ${action} on ${table}
               begin insert into ${LOG} (name) values ('${table}'); end`,
          ),
        ),
      ]
  await db.transaction().execute(async (tx) => {
    for (const statement of statements) await sql.raw(statement).execute(tx)
  })
  let last = 0
  return async () => {
    const { rows } = await sql<{ id: number; name: string }>`
      select id, name from ${sql.table(LOG)} where id > ${last} order by id`.execute(db)
    last = Number(rows.at(-1)?.id ?? last)
    return [...new Set(rows.map(({ name }) => name))]
  }
}

/** The number of rows of an account in each table. */
export async function rowsOf({ db }: Context, account_id: number): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const table of tables.filter((name) => columnTypes(name).has('account_id'))) {
    const { rows } = await sql<{ rows: number }>`
      select count(*) as rows from ${sql.table(table)} where account_id = ${account_id}`.execute(db)
    counts[table] = Number(rows[0]?.rows)
  }
  return counts
}
