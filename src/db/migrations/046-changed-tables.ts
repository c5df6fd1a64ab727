import { sql } from 'kysely'
import { isPostgres } from '../dialect.ts'
import { isDistributed } from '../distribution/distributed.ts'
import { placementOf } from '../distribution/placing-plan.ts'
import type { Migration } from './migration.ts'

/** The tables to which most requests refer. */
const noted = [
  'accounts',
  'users',
  'roles',
  'members',
  'sessions',
  'integrations',
  'installations',
  'grants',
  'token_pairs',
  'token_faults',
  'pipelines',
  'statuses',
  'customer_statuses',
  'catalogs',
  'custom_fields',
  'channels',
  'channel_connections',
  'chat_intents',
  'automation_rules',
]

/**
 * A note for each transaction and table. Unlogged tables are empty after a crash, which ends all connections, and programs
 * forget what they know with their connection.
 */
const statements = [
  'create unlogged table changed_tables (xid xid8 not null, name text not null, primary key (xid, name))',
  `create unlogged table changed_tables_floor (id smallint primary key check (id = 1),
    deleted_below xid8 not null, ended_below xid8 not null)`,
  // With the rights of the owner: another role that can change a table needs none for the notes. A savepoint that is
  // rolled back takes its notes with it, so each statement notes again.
  `create function note_changed_table() returns trigger language plpgsql
    security definer set search_path = pg_catalog, pg_temp as $$
    begin
      execute format('insert into %I.changed_tables values (pg_current_xact_id(), $1) on conflict do nothing', tg_table_schema)
        using tg_table_name;
      return null;
    end $$`,
  // A transaction that a snapshot does not contain was running, or had not begun. Both are found by the index, because the
  // planner cannot know how few they are: it would read all notes. The limits bound what is read.
  `create function tables_changed_since(last pg_snapshot) returns json language plpgsql stable
    set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off as $$
    declare names text[];
    begin
      select array_agg(name) into names from (
        (select name from changed_tables where xid >= pg_snapshot_xmax(last) order by xid limit 1001)
        union all
        (select name from changed_tables where xid = any (array(select pg_snapshot_xip(last))) order by xid limit 1001)
      ) as changes;
      return json_build_object(
        'snapshot', pg_current_snapshot()::text,
        'place', pg_relation_filenode(to_regclass('changed_tables')),
        'is_complete', coalesce(cardinality(names), 0) <= 1000
          and not exists (select from changed_tables_floor where deleted_below > pg_snapshot_xmin(last)),
        'names', array(select distinct unnest(names)));
    end $$`,
]

/** The trigger also fires in sessions with `session_replication_role = replica`, which skip ordinary triggers. */
const triggerOf = (table: string): string[] => [
  `create trigger note_change after insert or update or delete or truncate on ${table}
    for each statement execute function note_changed_table()`,
  `alter table ${table} enable always trigger note_change`,
]

/**
 * On PostgreSQL, changes of the tables to which most requests refer are noted. Citus has no triggers on tables that it
 * places.
 */
export const changedTables: Migration = {
  name: '046-changed-tables',
  counted: [],
  isAdditive: true,
  statements: [],
  fill: async (tx) => {
    if (!isPostgres(tx)) return
    const here = noted.filter((table) => !isDistributed(tx) || placementOf(table) === 'plain')
    for (const statement of [...statements, ...here.flatMap(triggerOf)]) await sql.raw(statement).execute(tx)
  },
}
