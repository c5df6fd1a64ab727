import { type Expression, type SqlBool, sql } from 'kysely'
import type { Db } from '../db/database.ts'
import type { EntityType } from './entity-types.ts'

/**
 * Counts and adds up the rows of one kind for which the conditions hold, by the stage they stand in; those of a kind
 * without stages are one row. Without filters, or by people and stages, it is read from entities_totals alone.
 */
export function sumsByStage(db: Db, account_id: number, type: EntityType, conditions: Expression<SqlBool>[]) {
  // Of a lead the one, of a customer the other; sums of sums are no whole numbers to the embedded database's adding.
  const price = sql`coalesce(entities.price, entities.next_price, 0)`
  return db
    .selectFrom('entities')
    .select(['entities.pipeline_id', 'entities.status_id'])
    .select((eb) => [
      eb.fn.countAll<number>().as('total'),
      sql<number | string>`cast(sum(cast(${price} as double precision)) as double precision)`.as('sum'),
    ])
    .where('entities.account_id', '=', account_id)
    .where('entities.entity_type', '=', sql.lit(type))
    .where((eb) => eb.and(conditions))
    .groupBy(['entities.pipeline_id', 'entities.status_id'])
    .orderBy('entities.pipeline_id')
    .orderBy('entities.status_id')
}
