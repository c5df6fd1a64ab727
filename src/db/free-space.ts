import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from './database.ts'
import { isPostgres } from './dialect.ts'

/** Free pages that stay in the file for the next rows: 4 MiB. */
const KEPT_PAGES = 1_024
/** Pages of a transaction: some milliseconds. */
const AT_ONCE = 250

/**
 * Gives free pages of the embedded database back to the system, a few in each transaction. A file from before this was
 * built has no list of where its pages are used, so it keeps them for new rows until `patchbay compact` rewrites it.
 * PostgreSQL does this by itself.
 */
export async function freeSpace(db: Db, kept = KEPT_PAGES): Promise<void> {
  if (isPostgres(db) || !(await canFree(db))) return
  for (let left = (await freePages(db)) - kept; left > 0; left -= AT_ONCE) {
    const count = Math.min(left, AT_ONCE)
    await db.transaction().execute((tx) => sql`pragma incremental_vacuum(${sql.lit(count)})`.execute(tx))
    await setImmediate()
  }
}

async function canFree(db: Db): Promise<boolean> {
  const { rows } = await sql<{ auto_vacuum: number }>`select auto_vacuum from pragma_auto_vacuum`.execute(db)
  return rows[0]?.auto_vacuum === 2
}

async function freePages(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select freelist_count as count from pragma_freelist_count`.execute(db)
  return rows[0]?.count ?? 0
}
