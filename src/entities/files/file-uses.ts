import { type Expression, type SqlBool, sql } from 'kysely'
import type { Actor } from '../../accounts/accounts.ts'
import { findFileFields, keyHolders } from '../../custom-fields/custom-fields.ts'
import type { Db } from '../../db/database.ts'
import { holds } from '../../db/dialect.ts'
import { canSeeList, loadAccess, seesAll } from '../records/access.ts'
import type { EntityType } from '../records/entity-types.ts'
import { isVisible } from '../records/queries.ts'

/** The condition that a file of `files` is the value of a field in a visible record. */
export async function fileValueConditions(db: Db, actor: Actor): Promise<Expression<SqlBool>[]> {
  const fields = await findFileFields(db, actor.account_id)
  if (fields.length === 0) return []
  const access = await loadAccess(db, actor)
  return fields.flatMap(({ id, entity_type, catalog_id }) => {
    if (catalog_id !== null && !canSeeList(access, catalog_id)) return []
    const type: EntityType = catalog_id === null ? (entity_type as EntityType) : 'catalog_elements'
    const holders = keyHolders(db, actor.account_id, id, 'files.uuid').select(sql.lit(1).as('one'))
    if (seesAll(access, type, catalog_id ?? undefined)) return [holds(holders.limit(1))]
    return [holds(holders.where(isVisible(db, access, type, catalog_id, 'field_keys.entity_id')).limit(1))]
  })
}
