import { sql } from 'kysely'
import type { Tx } from '../database.ts'
import { isPostgres } from '../dialect.ts'
import { isDistributed } from '../distribution/distributed.ts'

/**
 * Drops the indexes of an empty database before its rows come, and returns a function that builds them again. An index is
 * built in its own order, while each inserted row would change a page in a random place. Constraints stay. With Citus, the
 * indexes stay too, because statements of a transaction that has written to many shards are restricted.
 */
export async function dropIndexes(tx: Tx): Promise<() => Promise<void>> {
  if (isDistributed(tx)) return async () => {}
  const { rows } = await (isPostgres(tx)
    ? sql<Index>`select relname as name, pg_get_indexdef(indexrelid) as statement from pg_index
        join pg_class on pg_class.oid = indexrelid where not indisunique and not relispartition
        and relnamespace = current_schema()::regnamespace order by pg_class.oid`
    : sql<Index>`select name, sql as statement from sqlite_schema where type = 'index' and sql like 'create index %'
        order by rowid`
  ).execute(tx)
  for (const { name } of rows) await sql`drop index ${sql.table(name)}`.execute(tx)
  return async () => {
    // The definition of a partitioned index leaves its partitions out.
    for (const { statement } of rows) await sql.raw(statement.replace(' ON ONLY ', ' ON ')).execute(tx)
  }
}

interface Index {
  name: string
  statement: string
}
