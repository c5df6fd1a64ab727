import { findFields, storedValuesOf } from '../../custom-fields/custom-fields.ts'
import type { Db } from '../../db/database.ts'
import type { Sample } from '../../webhooks/webhooks.ts'
import { type EntityType, entityTypes } from '../records/entity-types.ts'
import { selectEntities } from '../records/queries.ts'
import { copyOf } from '../records/working-copy.ts'
import { tagsOfEntities } from '../tags/tag-queries.ts'
import { codesOfKinds, linksOf } from './webhook-changes.ts'
import { deletedItem, itemOf, type Previous } from './webhook-items.ts'

/** The item that a change of the latest record of a code's kind would announce. */
export const sampleRecord: Sample = async (db, account_id, code) => {
  const [type, codes] = Object.entries(codesOfKinds).find(([, codes]) =>
    Object.values(codes).includes(code),
  ) as [EntityType, (typeof codesOfKinds)[EntityType]]
  const row = await latestRecord(db, account_id, type)
  if (!row) return null
  if (code === codes.delete) return deletedItem(row)
  const tags = await tagsOfEntities(db, account_id, type, [row.id])
  const values = await storedValuesOf(db, account_id, [row.id])
  const references = {
    fields: await findFields(db, account_id, entityTypes[type].fields, row.catalog_id),
    tags: {
      byId: new Map(tags.map((tag) => [tag.id, { ...tag, account_id, entity_type: type }])),
      byName: new Map(),
    },
  }
  const copy = copyOf(
    row,
    values.get(row.id) ?? {},
    tags.map(({ id }) => id),
  )
  // The previous values are not known. The present ones show where they stand.
  const old: Previous = {
    ...(code === codes.status && { old_status_id: row.status_id }),
    ...(code === codes.responsible && { old_responsible_user_id: row.responsible_user_id }),
  }
  return itemOf(copy, references, (await linksOf(db, account_id, [row]))(row.id), old)
}

/** By the primary key. */
const latestRecord = (db: Db, account_id: number, type: EntityType) =>
  selectEntities(db, account_id, type)
    .where('entities.is_deleted', '=', 0)
    .orderBy('entities.id', 'desc')
    .limit(1)
    .executeTakeFirst()
