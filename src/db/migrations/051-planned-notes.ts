import { sql } from 'kysely'
import { isPostgres } from '../dialect.ts'
import type { Migration } from './migration.ts'

/**
 * The statement that notes a changed table names its schema, so that PostgreSQL plans it once for each connection and not for
 * each change.
 */
const noteIn = (schema: string) => `
  create or replace function note_changed_table() returns trigger language plpgsql
    security definer set search_path = pg_catalog, pg_temp as $$
    begin
      insert into ${schema}.changed_tables values (pg_current_xact_id(), tg_table_name) on conflict do nothing;
      return null;
    end $$`

/** On PostgreSQL, a change of the tables to which most requests refer is noted in less time. */
export const plannedNotes: Migration = {
  name: '051-planned-notes',
  counted: [],
  isAdditive: true,
  statements: [],
  fill: async (tx) => {
    if (!isPostgres(tx)) return
    const { rows } = await sql<{ schema: string }>`select quote_ident(current_schema()) as schema`.execute(tx)
    for (const { schema } of rows) await sql.raw(noteIn(schema)).execute(tx)
  },
}
