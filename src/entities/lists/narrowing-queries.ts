import { type Expression, type SqlBool, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { EntityRow } from '../../db/tables.ts'
import type { EntityType } from '../records/entity-types.ts'

/** A condition on the columns of a record, under the name that the query has for its table. */
export type OfColumns = (column: (name: string) => Expression<unknown>) => Expression<SqlBool>

/** The ids of the records of a kind with a condition; by the index of its columns. */
export const recordsWith = (db: Db, account_id: number, type: EntityType, condition: OfColumns) =>
  db
    .selectFrom('entities as counted')
    .select('counted.id as entity_id')
    .where('counted.account_id', '=', account_id)
    .where('counted.entity_type', '=', sql.lit(type))
    .where(condition((name) => sql.ref(`counted.${name}`)))

/** The first records of a kind with a condition, in the order of the index of its columns. */
export const firstRecordsWith = (
  account_id: number,
  type: EntityType,
  condition: OfColumns,
  most: number,
) => sql<EntityRow>`(
  select * from entities as counted where counted.account_id = ${account_id} and counted.entity_type = ${sql.lit(type)}
    and ${condition((name) => sql.ref(`counted.${name}`))} limit ${most})`
