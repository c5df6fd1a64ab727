import type { EntityRow } from '../../db/tables.ts'
import type { QueryValue } from '../../http/queries/bracket-query.ts'
import { directionOf } from '../../http/queries/query-values.ts'
import type { EntityType } from './entity-types.ts'

type Direction = 'asc' | 'desc'
type OrderColumn =
  | 'id'
  | 'created_at'
  | 'updated_at'
  | 'closed_at'
  | 'name_key'
  | 'price'
  | 'next_price'
  | 'next_date'

/** The sort order of a list. Ties are sorted by id. */
export interface Order {
  column: OrderColumn & keyof EntityRow
  direction: Direction
  /** Some records have no value in the column. They come last in both directions. */
  hasEmpty: boolean
}

/** The order of a scan, which finds the records with a value in its column apart from the others. */
export type ScanOrder = Pick<Order, 'column' | 'direction'>

const everywhere = { created_at: 'created_at', updated_at: 'updated_at', id: 'id', name: 'name_key' } as const

/** The sort orders of each kind and their columns. Each has an index, see 009-list-orders. */
const orders: Record<EntityType, Partial<Record<string, OrderColumn>>> = {
  leads: { ...everywhere, price: 'price', closed_at: 'closed_at' },
  contacts: everywhere,
  companies: everywhere,
  customers: { ...everywhere, next_price: 'next_price', next_date: 'next_date' },
  catalog_elements: everywhere,
}

const withEmpty: readonly OrderColumn[] = ['closed_at', 'next_price', 'next_date']

export const orderNames = (type: EntityType): string[] => Object.keys(orders[type])

/** Parses `order[name]=asc|desc`: the first known name counts. */
export function readOrder(type: EntityType, order: QueryValue | undefined): Order {
  const fallback: Order = { column: 'id', direction: 'asc', hasEmpty: false }
  if (typeof order !== 'object' || Array.isArray(order)) return fallback
  const name = Object.keys(order).find((one) => Object.hasOwn(orders[type], one))
  const column = name === undefined ? undefined : orders[type][name]
  if (name === undefined || column === undefined) return fallback
  const direction = directionOf(name, order[name])
  return { column, direction, hasEmpty: withEmpty.includes(column) }
}

const MAX_OF_KEY = 64

/** Printable ASCII, which has no diacritics and is in its normal form. */
const PLAIN = /^[ -~]*$/

/** The sort key of a name, equal on both databases, whose collations differ. Ignores case and diacritics. */
export function nameKey(name: string): string {
  const letters = PLAIN.test(name) ? name : name.normalize('NFKD').replace(/\p{M}/gu, '')
  return letters.toLowerCase().trimStart().slice(0, MAX_OF_KEY).toWellFormed()
}
