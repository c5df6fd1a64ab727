import { type Expression, type SqlBool, sql } from 'kysely'
import type { Db } from '../db/database.ts'
import type { EntityType } from './entity-types.ts'

/**
 * Counts and sums the rows of one kind that match the conditions, by stage; kinds without stages have one row.
 * Without filters, or with filters by people and stages, this reads entities_totals only.
 */
export function sumsByStage(db: Db, account_id: number, type: EntityType, conditions: Expression<SqlBool>[]) {
  // Leads have a price, customers a next_price. Cast to double, because SQLite fails on integer overflow in a sum.
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
