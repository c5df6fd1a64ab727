import { keyHolders, textKey } from '../../custom-fields/custom-fields.ts'
import type { Db } from '../../db/database.ts'
import { isOneOf, tableOf } from '../../db/dialect.ts'
import { type Access, accessCondition } from '../records/access.ts'
import type { EntityType } from '../records/entity-types.ts'
import { nameKey } from '../records/orders.ts'

/**
 * For each key, the newest record of the kind with it in a field, among visible records outside the trash. One
 * query, by the primary keys of field_keys and of entities.
 */
export async function newestWithKeys(
  db: Db,
  access: Access,
  type: EntityType,
  field_id: number,
  keys: readonly string[],
): Promise<Map<string, number>> {
  if (keys.length === 0) return new Map()
  const condition = accessCondition(access, 'view', type, 'holder')
  const newest = keyHolders(db, access.actor.account_id, field_id, 'given.value')
    .innerJoin('entities as holder', (join) =>
      join
        .on('holder.account_id', '=', access.actor.account_id)
        .on('holder.entity_type', '=', type)
        .onRef('holder.id', '=', 'field_keys.entity_id'),
    )
    .select('holder.id')
    .where('holder.is_deleted', '=', 0)
    .where('holder.is_unsorted', '=', 0)
    .$if(condition !== null, (query) => query.where(condition as NonNullable<typeof condition>))
    .orderBy('field_keys.entity_id', 'desc')
    .limit(1)
  const rows = await db
    .selectFrom(tableOf(db, [...new Set(keys)], 'text').as('given'))
    .select('given.value as key')
    .select(newest.as('id'))
    .execute()
  return new Map(rows.flatMap(({ key, id }): [string, number][] => (id === null ? [] : [[key, id]])))
}

/**
 * For each name, the newest record of the kind with it, ignoring case, among visible records outside the trash.
 * Uses entities_by_name, which contains prefixes of names only; names with equal prefixes are compared here.
 */
export async function newestNamed(
  db: Db,
  access: Access,
  type: EntityType,
  names: readonly string[],
): Promise<Map<string, number>> {
  if (names.length === 0) return new Map()
  const condition = accessCondition(access, 'view', type)
  const rows = await db
    .selectFrom('entities')
    .select((eb) => ['entities.name', eb.fn.max('entities.id').as('id')])
    .where('entities.account_id', '=', access.actor.account_id)
    .where('entities.entity_type', '=', type)
    .where((eb) => isOneOf(db, eb.ref('entities.name_key'), [...new Set(names.map(nameKey))]))
    .where('entities.is_deleted', '=', 0)
    .where('entities.is_unsorted', '=', 0)
    .$if(condition !== null, (query) => query.where(condition as NonNullable<typeof condition>))
    .groupBy('entities.name')
    .execute()
  const newest = new Map<string, number>()
  for (const { name, id } of rows)
    newest.set(textKey(name), Math.max(newest.get(textKey(name)) ?? 0, Number(id)))
  return new Map(
    names.flatMap((name): [string, number][] => {
      const id = newest.get(textKey(name))
      return id === undefined ? [] : [[name, id]]
    }),
  )
}
