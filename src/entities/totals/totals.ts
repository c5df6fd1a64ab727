import { type Static, Type } from 'typebox'
import { findFields } from '../../custom-fields/custom-fields.ts'
import { isHidden, type ListQuery, readRecordFilter } from '../lists/conditions.ts'
import type { RecordList } from '../lists/record-list.ts'
import { type EntityType, entityTypes } from '../records/entity-types.ts'
import { type CountLimits, countLimits, countRecords } from './bounded-counting.ts'
import type { Counted } from './indexed-totals.ts'

const Sums = {
  total: Type.Integer({ description: 'The number of records.' }),
  sum: Type.Integer({ description: 'The sum of price, or of next_price.' }),
  is_complete: Type.Boolean({
    description:
      'Whether all records are counted. If too many match to be counted for a page, there are at least these.',
  }),
}

/** The number of records in a list, and their sums. */
export const Totals = Type.Object(
  {
    ...Sums,
    _embedded: Type.Object({
      statuses: Type.Array(
        Type.Object({
          pipeline_id: Type.Integer({ description: '0 for stages without a pipeline.' }),
          status_id: Type.Integer(),
          ...Sums,
        }),
      ),
    }),
  },
  { title: 'Totals' },
)
export type Totals = Static<typeof Totals>

/** Kinds with stages. */
const staged: readonly EntityType[] = ['leads', 'customers']

/** The totals of the records that a list of the same query would show to the actor. */
export async function totalsOf(
  list: RecordList,
  query: ListQuery,
  limits: CountLimits = countLimits,
): Promise<Totals> {
  const { db, access, type, catalog_id } = list
  const { account_id } = access.actor
  const fields = await findFields(db, account_id, entityTypes[type].fields, catalog_id ?? null)
  const filter = await readRecordFilter(db, account_id, type, query, fields)
  const { stages, is_complete, at_least } =
    filter && !isHidden(list) ? await countRecords(list, filter, limits) : nothing
  const statuses = stages
    .map((one) => ({
      pipeline_id: one.pipeline_id ?? 0,
      status_id: one.status_id ?? 0,
      total: Number(one.total),
      sum: exact(one.sum ?? 0),
      is_complete: one.is_complete,
    }))
    .sort((a, b) => a.pipeline_id - b.pipeline_id || a.status_id - b.status_id)
  return {
    total: Math.max(
      at_least,
      statuses.reduce((sum, { total }) => sum + total, 0),
    ),
    sum: exact(statuses.reduce((sum, one) => sum + one.sum, 0)),
    is_complete,
    _embedded: { statuses: staged.includes(type) ? statuses : [] },
  }
}

const nothing: Counted = { stages: [], is_complete: true, at_least: 0 }

/** Limits a sum to the largest exact number. */
const exact = (sum: number | string): number => Math.min(Number(sum), Number.MAX_SAFE_INTEGER)
