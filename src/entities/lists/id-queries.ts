import { findFields } from '../../custom-fields/custom-fields.ts'
import { entityTypes } from '../records/entity-types.ts'
import { conditionsOf, type ListQuery, readRecordFilter } from './conditions.ts'
import type { RecordReader } from './record-list.ts'

/** The ids of all records of a list in ascending order; null if there are more than `most`. */
export async function listedIds(
  reader: RecordReader,
  query: ListQuery,
  { catalog_id, most }: { catalog_id?: number | undefined; most: number },
): Promise<number[] | null> {
  const { db, access, type } = reader
  const { account_id } = access.actor
  const fields = await findFields(db, account_id, entityTypes[type].fields, catalog_id ?? null)
  const filter = await readRecordFilter(db, account_id, type, query, fields)
  if (filter === null) return []
  const conditions = conditionsOf({ ...reader, catalog_id, in_trash: false }, filter)
  const rows = await db
    .selectFrom('entities')
    .select('entities.id')
    .where('entities.account_id', '=', account_id)
    .where('entities.entity_type', '=', type)
    .where((eb) => eb.and(conditions))
    .orderBy('entities.id')
    .limit(most + 1)
    .execute()
  return rows.length > most ? null : rows.map(({ id }) => id)
}
