import { type Expression, type SqlBool, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { listOfIds } from '../../db/dialect.ts'
import type { ValuePosition } from '../../http/queries/paging.ts'
import type { EntityType } from '../records/entity-types.ts'
import type { ScanOrder } from '../records/orders.ts'
import { selectListed } from '../records/queries.ts'
import { idsIn } from './id-sets.ts'
import { inOrder, type Part, type Walk } from './page-query.ts'

/** A part of an index in the order of a list, regardless of conditions on other columns. */
export interface IndexRange {
  account_id: number
  type: EntityType
  conditions: Expression<SqlBool>[]
  order: ScanOrder
  part: Part
}

/** The next entries of an index: so many after a position. */
interface Window {
  after: ValuePosition | null
  size: number
}

/** The position at the end of a window, by the index alone; undefined if the index has fewer entries. */
export async function endOfWindow(
  db: Db,
  range: IndexRange,
  { after, size }: Window,
): Promise<ValuePosition | undefined> {
  const end = await keysInOrder(db, range, { after, limit: 1, offset: size }).executeTakeFirst()
  return end && { id: Number(end.id), value: end.value }
}

/** The ids of a window and the position of the last one, by the index alone; undefined if the index has fewer entries. */
export async function idsOfWindow(
  db: Db,
  range: IndexRange,
  { after, size }: Window,
): Promise<{ ids: number[]; end: ValuePosition | undefined }> {
  const rows = keysInOrder(db, range, { after, limit: size, offset: 0 })
  const last = sql.raw(range.order.direction === 'asc' ? 'max' : 'min')
  const { rows: read } = await sql<{ ids: string; value: number | string | null }>`
    select ${listOfIds(db, sql.ref('id'))} as ids, ${last}(value) as value from (${rows}) as walked`.execute(
    db,
  )
  const ids = idsIn(read[0]?.ids)
  const id = ids.at(-1)
  return { ids, end: ids.length < size || !id ? undefined : { id, value: read[0]?.value ?? null } }
}

/** The columns of rows that an index in the order of a list has. */
export const keysInOrder = (
  db: Db,
  { account_id, type, conditions, order, part }: IndexRange,
  entries: Pick<Walk, 'after' | 'limit' | 'offset'>,
) =>
  inOrder(
    db,
    selectListed(db, account_id, type, order.column)
      .clearSelect()
      .select(['entities.id', `entities.${order.column} as value`]) as never,
    { conditions, isSorted: false },
    { ...entries, order, part },
    'entities.id',
  ).$castTo<{ id: number; value: number | string | null }>()
