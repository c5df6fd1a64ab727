import { sql } from 'kysely'
import { OperatorError } from '../../errors.ts'
import type { Db, Tx } from '../database.ts'
import { isPostgres, liftTimeLimits } from '../dialect.ts'
import { noteDistribution } from './distributed.ts'
import type { Placement } from './distribution.ts'
import { type ForeignKey, placedTables, placementOf, planOf } from './placing-plan.ts'

/** The pieces of each distributed table, which Citus spreads over the servers. An account is in one of them. */
export const DEFAULT_SHARDS = 32

/** Only some of the tables are placed: `patchbay distribute` was interrupted. */
export class PartlyDistributedError extends OperatorError {
  override name = 'PartlyDistributedError'
}

/** Whether the database has the extension Citus. */
export async function hasCitus(db: Db): Promise<boolean> {
  if (!isPostgres(db)) return false
  const { rows } = await sql<{
    has: boolean
  }>`select to_regclass('pg_dist_partition') is not null as has`.execute(db)
  return rows[0]?.has ?? false
}

interface Stored {
  name: string
  /** How Citus has placed the table; null for a table of the coordinator. */
  placement: Placement | null
  /** It has partitions. */
  is_split: boolean
  /** It still has rows on the coordinator: those from before it was placed. */
  has_copied: boolean
}

/** The existing tables of the placements that are not plain. */
async function findStored(db: Db): Promise<Stored[]> {
  // A reference table has the replication model "t"; other tables without shards are not for every server.
  const { rows } = await sql<Stored>`
    select relname as name, relkind = 'p' as is_split,
      case when partmethod = 'h' then 'distributed' when repmodel = 't' then 'reference' end as placement,
      coalesce(pg_relation_size(pg_class.oid), 0) > 0 as has_copied
    from pg_class left join pg_dist_partition on logicalrelid = pg_class.oid
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')`.execute(db)
  const stored = new Map(rows.map((row) => [row.name, row]))
  return placedTables.flatMap((name) => stored.get(name) ?? [])
}

const isMisplaced = ({ name, placement }: Stored): boolean => placement !== placementOf(name)

/** Whether the tables are placed on several servers. Noted for all statements of this database. */
export async function readDistribution(db: Db): Promise<boolean> {
  const stored = (await hasCitus(db)) ? await findStored(db) : []
  const isPlaced = stored.some(({ placement }) => placement !== null)
  noteDistribution(db, isPlaced)
  const missing = stored.filter(isMisplaced).map(({ name }) => name)
  if (isPlaced && missing.length > 0)
    throw new PartlyDistributedError(
      `Tables of the database are not distributed yet: ${missing.join(', ')}. Run "patchbay distribute" again.`,
    )
  return isPlaced
}

/** The tables that have partitions. Citus could not spread them as well. */
export async function findSplit(db: Db): Promise<string[]> {
  return (await findStored(db)).filter(({ is_split }) => is_split).map(({ name }) => name)
}

/** The number of other connections that use the database, without those of Citus itself. */
export async function countOtherSessions(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()
      and application_name not like 'citus%'`.execute(db)
  return rows[0]?.count ?? 0
}

/**
 * Places all tables that are not placed yet, each unit in a transaction of its own, and reports them. The rows move to the
 * servers, and their copies on the coordinator are deleted.
 */
export async function placeTables(db: Db, shards: number, report: (tables: string[]) => void): Promise<void> {
  for (const { tables, statements } of await remainingPlan(db, shards)) {
    await db.transaction().execute(async (tx) => {
      await liftTimeLimits(tx)
      await run(tx, ['set local citus.multi_shard_modify_mode = sequential', ...statements])
      // Their changes are not noted any more. A program that keeps their rows notices the emptied table. An interrupted
      // placement goes on before the migrations, so the table can be missing.
      await run(tx, [
        `do $$ begin if to_regclass('changed_tables') is not null then truncate changed_tables; end if; end $$`,
      ])
    })
    await deleteCopies(db)
    report(tables)
  }
  await deleteCopies(db)
  noteDistribution(db, true)
}

/** Places the tables that a migration has made in a distributed database, in its transaction. */
export async function placeNewTables(tx: Tx): Promise<void> {
  const units = await remainingPlan(tx, DEFAULT_SHARDS)
  if (units.length > 0) await run(tx, ['set local citus.multi_shard_modify_mode = sequential'])
  for (const { statements } of units) await run(tx, statements)
}

async function remainingPlan(db: Db, shards: number) {
  const stored = await findStored(db)
  const beside = stored.find(({ placement }) => placement === 'distributed')?.name
  const missing = stored.filter(isMisplaced).map(({ name }) => name)
  return planOf(missing, await findForeignKeys(db), { beside, shards })
}

async function deleteCopies(db: Db): Promise<void> {
  const copied = (await findStored(db)).filter((one) => one.has_copied && !isMisplaced(one))
  await db.transaction().execute(async (tx) => {
    await liftTimeLimits(tx)
    await run(
      tx,
      copied.map(({ name }) => `select truncate_local_data_after_distributing_table('${name}')`),
    )
  })
}

async function run(tx: Tx, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(tx)
}

async function findForeignKeys(db: Db): Promise<ForeignKey[]> {
  const { rows } = await sql<ForeignKey>`
    select conname as name, source.relname as table, target.relname as refers_to,
      pg_get_constraintdef(pg_constraint.oid) as definition
    from pg_constraint join pg_class as source on source.oid = conrelid
      join pg_class as target on target.oid = confrelid
    where contype = 'f' and conparentid = 0 and source.relnamespace = current_schema()::regnamespace
    order by source.relname, conname`.execute(db)
  return rows
}
