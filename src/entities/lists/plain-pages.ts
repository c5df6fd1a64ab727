import { preparedByShape } from '../../db/prepared.ts'
import type { EntityType } from '../records/entity-types.ts'
import type { ListedEntity } from '../records/listed-columns.ts'
import type { Order } from '../records/orders.ts'
import { listedRecords } from './conditions.ts'
import { type Part, pageWith, type Walk } from './page-query.ts'
import type { RecordFilter, RecordList } from './record-list.ts'

type Shape = Pick<Order, 'column' | 'direction'> & {
  type: EntityType
  part: Part
  isAfter: boolean
  isOfList: boolean
}

interface Values {
  account_id: number
  catalog_id: number | undefined
  /** The position after which the page begins. */
  value: number | string | null
  id: number
  limit: number
  offset: number
}

/** Whether a list outside the trash has no filter: its pages have few different statements. */
export const isPlain = ({ in_trash }: RecordList, { filters, words }: RecordFilter): boolean =>
  !in_trash && words.length === 0 && Object.values(filters).every((some) => some.length === 0)

/**
 * A page of a list without a filter, for a reader who sees all of it. Integrations read more of these than of all others, and
 * building their statement takes as long as running it for some rows.
 */
export function plainPage(
  { db, access, type, catalog_id }: RecordList,
  { order: { column, direction }, part, after, limit, offset }: Walk,
): Promise<ListedEntity[]> {
  const { account_id } = access.actor
  const shape = { type, column, direction, part, isAfter: after !== null, isOfList: catalog_id !== undefined }
  const { value, id } = after ?? { value: null, id: 0 }
  return pages(db, shape, { account_id, catalog_id, value, id, limit, offset })
}

const pages = preparedByShape(
  (db, { account_id, catalog_id, value, id, limit, offset }: Values, shape: Shape) => {
    const { type, column, direction, part, isAfter, isOfList } = shape
    const within = { in_trash: false, catalog_id: isOfList ? catalog_id : undefined }
    const after = isAfter ? { value: part === 'empty' ? null : value, id } : null
    const asked = { conditions: listedRecords(type, within), isSorted: false }
    const walk = { order: { column, direction }, part, after, limit, offset }
    return pageWith(db, account_id, type, asked, walk)
  },
)
