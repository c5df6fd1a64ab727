import { parseStored, storedValuesOf } from '../../custom-fields/custom-fields.ts'
import type { Tx } from '../../db/database.ts'
import type { EntityRow } from '../../db/tables.ts'
import { copyOf, type WorkingCopy } from '../records/working-copy.ts'
import { tagsOfEntities } from '../tags/tag-queries.ts'
import type { References } from './references.ts'

/** Working copies of locked rows by id, with their values and tags. */
export async function loadCopies(
  tx: Tx,
  account_id: number,
  references: References,
  rows: EntityRow[],
): Promise<Map<number, WorkingCopy>> {
  const ids = [...new Set(rows.map(({ id }) => id))]
  const [values, carried] = await Promise.all([
    storedValuesOf(tx, account_id, ids),
    rows[0] ? tagsOfEntities(tx, account_id, rows[0].entity_type, ids) : [],
  ])
  // Removed tags are recorded by name.
  for (const { id, name, color } of carried)
    if (!references.tags.byId.has(id))
      references.tags.byId.set(id, {
        account_id,
        entity_type: rows[0]?.entity_type as string,
        id,
        name,
        color,
      })
  const tags = Map.groupBy(carried, ({ entity_id }) => entity_id)
  return new Map(
    rows.map((row) => [
      row.id,
      copyOf(
        row,
        values.get(row.id) ?? parseStored(null),
        (tags.get(row.id) ?? []).map(({ id }) => id),
      ),
    ]),
  )
}
