import { findFields, parseStored, showValues } from '../../custom-fields/custom-fields.ts'
import type { Tx } from '../../db/database.ts'
import type { Json } from '../../db/tables.ts'
import { type Access, loadLinkedElements } from '../records/access.ts'
import { findEntities, type StoredEntity } from '../records/queries.ts'
import { type RecordReference, requireNamed } from '../records/records.ts'
import type { TransactionDraft } from './transactions.ts'

/** A purchased element, as stored with the purchase. */
export interface Purchased {
  id: number
  metadata: { catalog_id: number; quantity: number }
  /** The points credited to the customer; subtracted when the purchase is deleted. */
  bonus_points?: number
}

export const parsePurchased = (text: Json): Purchased[] => JSON.parse(text) as Purchased[]

/** The code of the list field with the points per purchased element. */
const BONUS_FIELD = 'BONUS_POINTS_PER_PURCHASE'

/**
 * The purchased elements of each draft. Elements must be visible, and in the list named with them, as for links.
 * They are not locked, because many customers can buy the same element concurrently.
 */
export async function readPurchased(
  tx: Tx,
  access: Access,
  drafts: readonly TransactionDraft[],
): Promise<Purchased[][]> {
  const { account_id } = access.actor
  const named = drafts.flatMap((draft, i) => references(draft, i))
  if (named.length === 0) return drafts.map(() => [])
  const ids = [...new Set(named.map(({ id }) => id))]
  const rows = await findEntities(tx, account_id, 'catalog_elements', ids)
  await loadLinkedElements(tx, access, rows)
  const found = new Map(rows.map((row) => [row.id, row]))
  requireNamed(access, 'view', named, found, 'item')
  const worth = drafts.some(({ accrue_bonus }) => accrue_bonus)
    ? await pointsPerElement(tx, account_id, rows)
    : new Map<number, number>()
  return drafts.map(({ _embedded, accrue_bonus }) =>
    (_embedded?.catalog_elements ?? []).map(({ id, metadata }): Purchased => {
      const quantity = metadata?.quantity ?? 1
      const points = accrue_bonus ? pointsOf((worth.get(id) ?? 0) * quantity) : 0
      return {
        id,
        metadata: { catalog_id: found.get(id)?.catalog_id as number, quantity },
        ...(points > 0 && { bonus_points: points }),
      }
    }),
  )
}

const references = ({ _embedded, request_id }: TransactionDraft, i: number): RecordReference[] =>
  (_embedded?.catalog_elements ?? []).map(({ id, metadata }, n) => {
    const path = `_embedded.catalog_elements.${n}`
    return {
      entity_type: 'catalog_elements',
      id,
      request_id: String(request_id ?? i),
      path: `${path}.id`,
      ...(metadata?.catalog_id !== undefined && {
        list: { id: metadata.catalog_id, path: `${path}.metadata.catalog_id` },
      }),
    }
  })

const pointsOf = (points: number): number =>
  points > 0 ? Math.min(Math.floor(points), Number.MAX_SAFE_INTEGER) : 0

/** The points for one of each element: one query per list. */
async function pointsPerElement(
  tx: Tx,
  account_id: number,
  rows: StoredEntity[],
): Promise<Map<number, number>> {
  const worth = new Map<number, number>()
  for (const [catalog_id, elements] of Map.groupBy(rows, (row) => row.catalog_id)) {
    const fields = await findFields(tx, account_id, 'catalogs', catalog_id)
    for (const { id, field_values } of elements) {
      const values = showValues(fields, parseStored(field_values))
      const field = values?.find(({ field_code }) => field_code === BONUS_FIELD)
      const points = Number((field?.values[0] as { value?: unknown } | undefined)?.value)
      if (Number.isFinite(points)) worth.set(id, points)
    }
  }
  return worth
}
