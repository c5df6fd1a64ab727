import { sql } from 'kysely'
import type { Db } from '../../src/db/database.ts'
import { isPostgres } from '../../src/db/dialect.ts'

/** All indexes of a database with their definitions. Those of partitions belong to their table and are left out. */
export async function indexesOf(db: Db): Promise<unknown[]> {
  const { rows } = await (isPostgres(db)
    ? sql`select relname as name, replace(pg_get_indexdef(oid), ' ON ONLY ', ' ON ') as sql from pg_class
        where relkind in ('i', 'I') and not relispartition and relnamespace = current_schema()::regnamespace
        order by relname`
    : sql`select name, sql from sqlite_schema where type = 'index' order by name`
  ).execute(db)
  return rows
}
