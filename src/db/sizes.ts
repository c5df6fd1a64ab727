import { type RawBuilder, sql } from 'kysely'
import { readInBackground } from './background-reads.ts'
import type { Db } from './database.ts'
import { isPostgres } from './dialect.ts'
import { isDistributed } from './distribution/distributed.ts'

/** A table with its indexes. `rows` is exact on the embedded database, and an estimate on PostgreSQL. */
export interface TableSize {
  name: string
  bytes: number
  rows: number
}

/** The size of all tables, and of the whole database; `free_bytes` of a file are used again before it grows. */
export interface DatabaseSize {
  tables: TableSize[]
  bytes: number
  free_bytes: number
}

/** No account, for the turns of the thread. */
const NOBODY = 0

/**
 * Measures every table. The embedded database has to read all of its pages for this, so each table and index is a
 * statement of its own on the thread for long queries.
 */
export async function measureDatabase(db: Db): Promise<DatabaseSize> {
  return isPostgres(db) ? measurePostgres(db) : measureFile(db)
}

interface Tree {
  name: string
  table_name: string
  is_table: number
  is_clustered: number
}

async function measureFile(db: Db): Promise<DatabaseSize> {
  const trees = await ask<Tree>(
    db,
    sql`select name, tbl_name as table_name, type = 'table' as is_table, coalesce(sql, '') like '%without rowid' as is_clustered
      from sqlite_schema where rootpage > 0`,
  )
  const sizes = new Map<string, TableSize>()
  for (const { name, table_name, is_table, is_clustered } of trees) {
    const [tree] = await ask<{ bytes: number; cells: number; leaf_cells: number }>(
      db,
      sql`select coalesce(sum(pgsize), 0) as bytes, coalesce(sum(ncell), 0) as cells,
        coalesce(sum(case when pagetype = 'leaf' then ncell else 0 end), 0) as leaf_cells
        from dbstat where name = ${name}`,
    )
    if (!tree) continue
    const size = sizes.get(table_name) ?? { name: table_name, bytes: 0, rows: 0 }
    size.bytes += tree.bytes
    // The inner pages of a table with row ids repeat keys; those of others hold rows.
    if (is_table) size.rows = is_clustered ? tree.cells : tree.leaf_cells
    sizes.set(table_name, size)
  }
  const [file] = await ask<{ page_size: number; page_count: number; freelist_count: number }>(
    db,
    sql`select * from pragma_page_size, pragma_page_count, pragma_freelist_count`,
  )
  const { page_size = 0, page_count = 0, freelist_count = 0 } = file ?? {}
  return {
    tables: [...sizes.values()],
    bytes: page_size * page_count,
    free_bytes: page_size * freelist_count,
  }
}

/** Partitions count as their table. */
async function measurePostgres(db: Db): Promise<DatabaseSize> {
  const tables = await ask<TableSize>(
    db,
    sql`select coalesce(whole.relname, part.relname)::text as name,
        sum(pg_total_relation_size(part.oid))::float8 as bytes,
        sum(case when part.reltuples < 0 then pg_stat_get_live_tuples(part.oid) else part.reltuples end)::float8 as rows
      from pg_class as part
      left join pg_inherits on pg_inherits.inhrelid = part.oid
      left join pg_class as whole on whole.oid = pg_inherits.inhparent
      where part.relkind = 'r' and part.relnamespace = current_schema()::regnamespace
      group by 1`,
  )
  const [whole] = await ask<{ bytes: number }>(
    db,
    sql`select pg_database_size(current_database())::float8 as bytes`,
  )
  const spread = isDistributed(db) ? await measureSpread(db) : new Map<string, number>()
  const elsewhere = [...spread.values()].reduce((sum, bytes) => sum + bytes, 0)
  return {
    tables: tables.map((table) => ({ ...table, bytes: spread.get(table.name) ?? table.bytes })),
    bytes: (whole?.bytes ?? 0) + elsewhere,
    free_bytes: 0,
  }
}

/** The bytes of the tables that Citus has placed, on all servers. The coordinator has only their definitions. */
async function measureSpread(db: Db): Promise<Map<string, number>> {
  const sizes = await ask<Pick<TableSize, 'name' | 'bytes'>>(
    db,
    sql`select relname::text as name, citus_total_relation_size(pg_class.oid::regclass)::float8 as bytes
      from pg_dist_partition join pg_class on pg_class.oid = logicalrelid
      where relnamespace = current_schema()::regnamespace`,
  )
  return new Map(sizes.map(({ name, bytes }) => [name, bytes]))
}

const ask = <R>(db: Db, query: RawBuilder<unknown>): Promise<R[]> =>
  readInBackground(db, NOBODY, { compile: () => (query as RawBuilder<R>).compile(db) })
