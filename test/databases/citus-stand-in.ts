import { sql } from 'kysely'
import type { Db } from '../../src/db/database.ts'

/**
 * Functions with the names of those of Citus. They place nothing, and refuse what Citus refuses: a unique index without the
 * distribution column, a table in two places, and foreign keys between tables whose rows could be on different servers.
 */
const statements = [
  `create table pg_dist_partition (
    logicalrelid regclass primary key, partmethod "char" not null, repmodel "char" not null, shards text)`,
  // The foreign keys that Citus does not support, by the placement of both tables. A key may not span servers.
  `create view refused_keys as
    select conname, conrelid::regclass as source, confrelid::regclass as target from pg_constraint
      left join pg_dist_partition as s on s.logicalrelid = conrelid
      left join pg_dist_partition as t on t.logicalrelid = confrelid
    where contype = 'f' and conparentid = 0 and (s.partmethod, t.partmethod) is distinct from (null::"char", null::"char")
      and not coalesce(t.partmethod = 'n' and s.partmethod is not null
        or s.partmethod = 'h' and t.partmethod = 'h' and exists (
          select from unnest(conkey, confkey) as k (a, b)
          join pg_attribute as ca on ca.attrelid = conrelid and ca.attnum = a and ca.attname = 'account_id'
          join pg_attribute as cb on cb.attrelid = confrelid and cb.attnum = b and cb.attname = 'account_id'), false)`,
  `create function refuse_keys() returns void language plpgsql as $$
    declare refused text;
    begin
      select string_agg(format('%s (%s -> %s)', conname, source, target), ', ') into refused from refused_keys;
      if refused is not null then raise exception 'foreign keys are not supported: %', refused; end if;
    end $$`,
  `create function refuse_added_keys() returns event_trigger language plpgsql as $$
    begin perform refuse_keys(); end $$`,
  "create event trigger refuse_added_keys on ddl_command_end when tag in ('ALTER TABLE') execute function refuse_added_keys()",
  `create function create_reference_table(placed regclass) returns void language plpgsql as $$
    begin
      insert into pg_dist_partition values (placed, 'n', 't', null);
      perform refuse_keys();
    end $$`,
  `create function create_distributed_table(placed regclass, by text, colocate_with text) returns void
    language plpgsql as $$
    begin
      if colocate_with <> 'none' and not exists (
        select from pg_dist_partition where logicalrelid = colocate_with::regclass and partmethod = 'h') then
        raise exception '% is not distributed', colocate_with;
      end if;
      if colocate_with = 'none' and exists (select from pg_dist_partition where partmethod = 'h') then
        raise exception '% would not be co-located', placed;
      end if;
      if exists (select from pg_index where indrelid = placed and indisunique and not exists (
        select from unnest(indkey::smallint[]) as key join pg_attribute on attrelid = placed and attnum = key
        where attname = by)) then
        raise exception '% has a unique index without %', placed, by;
      end if;
      if exists (select from pg_trigger where tgrelid = placed and not tgisinternal) then
        raise exception '% has a trigger', placed;
      end if;
      insert into pg_dist_partition values (placed, 'h', 'c', current_setting('citus.shard_count', true));
      perform refuse_keys();
    end $$`,
  `create function citus_total_relation_size(placed regclass) returns bigint language sql return 1000000000`,
  `create function truncate_local_data_after_distributing_table(placed regclass) returns void language plpgsql as $$
    begin
      if not exists (select from pg_dist_partition where logicalrelid = placed) then
        raise exception '% is not a distributed table', placed;
      end if;
    end $$`,
]

/** Makes a PostgreSQL look like one with Citus. */
export async function addCitus(db: Db): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

/** The foreign keys that Citus would not keep, as text. */
export async function refusedKeys(db: Db): Promise<string[]> {
  const { rows } = await sql<{ text: string }>`
    select format('%s -> %s', source, target) as text from refused_keys`.execute(db)
  return rows.map(({ text }) => text)
}
