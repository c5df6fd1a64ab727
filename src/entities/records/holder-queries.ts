import { type Expression, type SqlBool, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { holds, isOneOf } from '../../db/dialect.ts'

/** For each kind of card, the condition for visible rows on the alias `holder`; null if all are visible. */
export type HolderConditions = readonly (readonly [type: string, condition: Expression<SqlBool> | null])[]

/**
 * The condition that the element with the id in a column is linked to a visible card. By the primary keys of links
 * and of entities.
 */
export function hasHolder(
  account_id: number,
  element: Expression<unknown>,
  conditions: HolderConditions,
): Expression<SqlBool> {
  const kinds = conditions.map(([type, condition]) => {
    const isOfKind = sql<SqlBool>`holder.entity_type = ${sql.lit(type)}`
    return condition ? sql<SqlBool>`(${isOfKind} and ${condition})` : isOfKind
  })
  return holds(sql`(select 1 from links as held inner join entities as holder
    on holder.account_id = ${account_id} and holder.entity_type = held.to_entity_type
      and holder.id = held.to_entity_id
    where held.account_id = ${account_id} and held.entity_id = ${element} and holder.is_deleted = 0
      and (${sql.join(kinds, sql` or `)}) limit 1)`)
}

/** The elements that are linked to a visible card. */
export async function findLinkedElements(
  db: Db,
  account_id: number,
  ids: readonly number[],
  conditions: HolderConditions,
): Promise<number[]> {
  const rows = await db
    .selectFrom('entities')
    .select('entities.id')
    .where('entities.account_id', '=', account_id)
    .where('entities.entity_type', '=', 'catalog_elements')
    .where((eb) => isOneOf(db, eb.ref('entities.id'), ids))
    .where(hasHolder(account_id, sql.ref('entities.id'), conditions))
    .execute()
  return rows.map(({ id }) => id)
}
