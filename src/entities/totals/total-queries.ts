import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { isOneOfFew, withoutIndex } from '../../db/dialect.ts'
import type { EntityRow } from '../../db/tables.ts'
import type { EntityType } from '../records/entity-types.ts'

/** The number of records of a stage, and the sum of their prices. */
export interface StageSums {
  pipeline_id: number | null
  status_id: number | null
  total: number | string
  sum: number | string | null
}

/** Leads have a price, customers a next_price. Cast to double, because SQLite fails on integer overflow in a sum. */
export const sumOfPrices = sql<number | string | null>`
  cast(sum(cast(coalesce(entities.price, entities.next_price, 0) as double precision)) as double precision)`

/**
 * Counts and sums the records of one kind that match the conditions, by stage; kinds without stages have one row. `records`
 * are those that are read, by default all.
 */
export const sumsByStage = (
  db: Db,
  account_id: number,
  type: EntityType,
  conditions: Expression<SqlBool>[],
  records: RawBuilder<EntityRow> = sql.table('entities'),
) =>
  db
    .selectFrom(records.as('entities'))
    .select(['entities.pipeline_id', 'entities.status_id'])
    .select((eb) => [eb.fn.countAll<number>().as('total'), sumOfPrices.as('sum')])
    .where('entities.account_id', '=', account_id)
    .where('entities.entity_type', '=', sql.lit(type))
    .where((eb) => eb.and(conditions))
    .groupBy(['entities.pipeline_id', 'entities.status_id'])

/** The ids of the records of a kind, or of the elements of a list. */
export const idsOfKind = (db: Db, account_id: number, type: EntityType, catalog_id: number | undefined) =>
  db
    .selectFrom('entities as counted')
    .select('counted.id as entity_id')
    .where('counted.account_id', '=', account_id)
    .where('counted.entity_type', '=', sql.lit(type))
    .$if(catalog_id !== undefined, (query) => query.where('counted.catalog_id', '=', catalog_id as number))

/** The condition that a record is among the first of these ids. */
export const isAmongFirst = (db: Db, ids: Expression<unknown>, most: number): Expression<SqlBool> =>
  isOneOfFew(db, sql.ref('entities.id'), firstOf(ids, most))

/**
 * The condition that a record is among the first of some ids and among others. The others are read once and not kept, so they
 * can be many.
 */
export const isAmongBoth = (
  db: Db,
  ids: Expression<unknown>,
  most: number,
  others: Expression<unknown>,
): Expression<SqlBool> => {
  const both = sql`select other.entity_id from (${others}) as other
    where ${withoutIndex(db, sql.ref('other.entity_id'))} in (${firstOf(ids, most)})`
  return isOneOfFew(db, sql.ref('entities.id'), both)
}

const firstOf = (ids: Expression<unknown>, most: number) =>
  sql`select found.entity_id from (${ids}) as found limit ${most}`
