import { type Expression, type SqlBool, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { holds } from '../../db/dialect.ts'
import type { NamedStage } from './filters.ts'

/** Whether the record in a column is a lead in one of these stages, outside the trash. */
export function isLeadInStages(
  db: Db,
  account_id: number,
  stages: readonly NamedStage[],
  id_column: string,
): Expression<SqlBool> {
  const lead = db
    .selectFrom('entities as lead')
    .select(sql.lit(1).as('one'))
    .where('lead.account_id', '=', account_id)
    .where('lead.entity_type', '=', 'leads')
    .where('lead.id', '=', sql.ref<number>(id_column))
    .where('lead.is_deleted', '=', 0)
    .where((eb) =>
      eb.or(
        stages.map(({ pipeline_id, status_id }) =>
          eb.and([
            eb('lead.status_id', '=', status_id),
            ...(pipeline_id === null ? [] : [eb('lead.pipeline_id', '=', pipeline_id)]),
          ]),
        ),
      ),
    )
  return holds(lead)
}
