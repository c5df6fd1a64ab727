import { type Static, Type } from 'typebox'
import { findFields } from '../custom-fields/custom-fields.ts'
import { readInBackground } from '../db/background-reads.ts'
import type { Db } from '../db/database.ts'
import type { Access } from './access.ts'
import { chooseCounting } from './bounded-counting.ts'
import { isHidden, type ListQuery, readRecordFilter, type Within } from './conditions.ts'
import { type EntityType, entityTypes } from './entity-types.ts'
import { sumsByStage } from './total-queries.ts'

const Sums = {
  total: Type.Integer(),
  sum: Type.Integer({ description: 'The sum of price, or of next_price.' }),
}

/** The number of records in a list, and their sums. */
export const Totals = Type.Object(
  {
    ...Sums,
    is_complete: Type.Boolean({
      description:
        'Whether all records are in the totals. If too many match to be counted for a page, there are at least these.',
    }),
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

/**
 * Records that one total reads, so that it takes no longer than a page. Without a filter, and with one by people, stages and
 * prices, an index has the summands, and all are read.
 */
const MOST = 30_000

/** The totals of the records that a list of the same query would show to the actor. */
export async function totalsOf(
  db: Db,
  access: Access,
  type: EntityType,
  query: ListQuery,
  within: Within,
  most = MOST,
): Promise<Totals> {
  const { account_id } = access.actor
  const fields = await findFields(db, account_id, entityTypes[type].fields, within.catalog_id ?? null)
  const filter = readRecordFilter(type, query, fields)
  const { conditions, is_complete } =
    filter && !isHidden(access, type, within)
      ? await chooseCounting(db, access, type, filter, within, most)
      : { conditions: null, is_complete: true }
  const rows = conditions
    ? await readInBackground(db, account_id, sumsByStage(db, account_id, type, conditions))
    : []
  const statuses = rows.map(({ pipeline_id, status_id, total, sum }) => ({
    pipeline_id: pipeline_id ?? 0,
    status_id: status_id ?? 0,
    total: Number(total),
    sum: exact(sum),
  }))
  return {
    total: statuses.reduce((sum, { total }) => sum + total, 0),
    sum: exact(statuses.reduce((sum, one) => sum + one.sum, 0)),
    is_complete,
    _embedded: { statuses: staged.includes(type) ? statuses : [] },
  }
}

/** Limits a sum to the largest exact number. */
const exact = (sum: number | string): number => Math.min(Number(sum), Number.MAX_SAFE_INTEGER)
