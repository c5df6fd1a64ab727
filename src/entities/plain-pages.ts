import type { Db } from '../db/database.ts'
import { prepared } from '../db/prepared.ts'
import { listedRecords, type RecordFilter, type Within } from './conditions.ts'
import type { EntityType } from './entity-types.ts'
import type { ListedEntity } from './listed-columns.ts'
import type { Order } from './orders.ts'
import { type Part, pageWith, type Walk } from './page-query.ts'

/** The values that the statement of a page is run with. */
interface Values {
  account_id: number
  catalog_id: number | undefined
  /** The position after which the page begins. */
  value: number | string | null
  id: number
  limit: number
  offset: number
}

type Statement = (db: Db, values: Values) => Promise<ListedEntity[]>

/** The statements, by everything that makes a difference to their text. */
const statements = new Map<string, Statement>()

/** Whether a list outside the trash has no filter: its pages have few different statements. */
export const isPlain = ({ filters, words }: RecordFilter, { in_trash }: Within): boolean =>
  !in_trash && words.length === 0 && Object.values(filters).every((some) => some.length === 0)

/**
 * A page of a list without a filter, for a reader who sees all of it. Integrations read more of these than of all others, and
 * building their statement takes as long as running it for some rows.
 */
export function plainPage(
  db: Db,
  account_id: number,
  type: EntityType,
  order: Order,
  { catalog_id, after, limit, offset }: Walk,
  part: Part,
): Promise<ListedEntity[]> {
  const isAfter = after !== null
  const name = [type, order.column, order.direction, part, isAfter, catalog_id === undefined].join()
  let statement = statements.get(name)
  if (!statement) {
    statement = statementOf(type, order, part, { isAfter, isOfList: catalog_id !== undefined })
    statements.set(name, statement)
  }
  const { value, id } = after ?? { value: null, id: 0 }
  return statement(db, { account_id, catalog_id, value, id, limit, offset })
}

const statementOf = (
  type: EntityType,
  order: Order,
  part: Part,
  { isAfter, isOfList }: { isAfter: boolean; isOfList: boolean },
): Statement =>
  prepared((db, { account_id, catalog_id, value, id, limit, offset }: Values) => {
    const within = { in_trash: false, catalog_id: isOfList ? catalog_id : undefined }
    const after = isAfter ? { value: part === 'empty' ? null : value, id } : null
    const conditions = listedRecords(type, within)
    return pageWith(
      db,
      account_id,
      type,
      { conditions, isSorted: false },
      order,
      { ...within, after, limit, offset },
      part,
    )
  })
