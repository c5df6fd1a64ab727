import { type Expression, type SqlBool, sql } from 'kysely'
import type { Db } from '../db/database.ts'
import type { FileRow } from '../db/tables.ts'
import type { QueryValue } from '../http/queries/bracket-query.ts'
import type { Page, Position } from '../http/queries/paging.ts'
import { type Asking, type Order, readFilters, readOrder } from './filters.ts'
import { selectFiles } from './queries.ts'

export interface FilesAsked {
  filter?: QueryValue
  order?: QueryValue
}

export interface Walk {
  page: Page
  /** The position at the end of the previous page; rows before it are not read again. */
  after: Position | null
  /** The files visible to the caller; null for all. */
  seen: Expression<SqlBool> | null
}

/** Lists a page of the files that the caller can see, and the position of the next page. */
export async function listFiles(
  asking: Asking,
  asked: FilesAsked,
  walk: Walk,
): Promise<{ files: FileRow[]; next: Position | null }> {
  const order = readOrder(asked.order)
  const { db, account_id } = asking
  const conditions = [...(await readFilters(asking, asked.filter)), ...(walk.seen ? [walk.seen] : [])]
  const rows = await pageQuery(db, account_id, conditions, order, walk).execute()
  const { limit } = walk.page
  const files = rows.slice(0, limit)
  const last = files.at(-1)
  return { files, next: rows.length > limit && last ? { value: last[order.column], id: last.id } : null }
}

/**
 * Selects one row more than the page, to know whether there is a next page. Each order has an index such as
 * files_by_id.
 */
export function pageQuery(
  db: Db,
  account_id: number,
  conditions: Expression<SqlBool>[],
  order: Order,
  { page, after }: Walk,
) {
  const { column, direction } = order
  return selectFiles(db, account_id)
    .where((eb) => eb.and(conditions))
    .$if(after !== null, (query) => query.where(beyond(order, after as Position)))
    .orderBy(`files.${column}`, direction)
    .$if(column !== 'id', (query) => query.orderBy('files.id', direction))
    .limit(page.limit + 1)
    .$if(after === null, (query) => query.offset(page.offset))
}

function beyond({ column, direction }: Order, { value, id }: Position): Expression<SqlBool> {
  const sign = sql.raw(direction === 'asc' ? '>' : '<')
  if (column === 'id') return sql<SqlBool>`files.id ${sign} ${id}`
  return sql<SqlBool>`(${sql.ref(`files.${column}`)}, files.id) ${sign} (${value}, ${id})`
}
