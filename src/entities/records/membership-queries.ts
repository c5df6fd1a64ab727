import { type Expression, type SqlBool, sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import { forKeyShare, holds, isOneOf } from '../../db/dialect.ts'
import { batched } from '../../db/prepared.ts'
import { deleteRows, insertMissingRows } from '../../db/row-sets.ts'
import type { SegmentMemberRow } from '../../db/tables.ts'

/** The ids of these segments that exist, locked against deletion until the transaction ends. */
export async function holdSegments(tx: Tx, account_id: number, ids: readonly number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set()
  const rows = await tx
    .selectFrom('segments')
    .select('id')
    .where('account_id', '=', account_id)
    .where((eb) => isOneOf(tx, eb.ref('id'), ids))
    .orderBy('id')
    .modifyEnd(forKeyShare(tx))
    .execute()
  return new Set(rows.map(({ id }) => id))
}

const memberships = batched((db, at: { account_id: number; ids: readonly number[] }) =>
  db
    .selectFrom('segment_members')
    .selectAll()
    .where('account_id', '=', at.account_id)
    .where((eb) => isOneOf(db, eb.ref('entity_id'), at.ids))
    .orderBy('entity_id')
    .orderBy('segment_id'),
)

/** The segments of these customers, in the order of ids; by the primary key. One prepared query. */
export const membershipsOf = (
  db: Db,
  account_id: number,
  ids: readonly number[],
): Promise<SegmentMemberRow[]> => memberships(db, { account_id, ids })

export const insertMemberships = (tx: Tx, rows: SegmentMemberRow[]): Promise<void> =>
  insertMissingRows(tx, 'segment_members', rows)

export const deleteMemberships = (
  tx: Tx,
  rows: Pick<SegmentMemberRow, 'account_id' | 'entity_id' | 'segment_id'>[],
): Promise<void> =>
  deleteRows(
    tx,
    'segment_members',
    rows.map(({ account_id, entity_id, segment_id }) => ({ account_id, entity_id, segment_id })),
  )

/** The customers in any of these segments; by segment_members_by_segment. */
export function customersInSegments(db: Db, account_id: number, segment_ids: readonly number[]) {
  return db
    .selectFrom('segment_members')
    .select('segment_members.entity_id')
    .where('segment_members.account_id', '=', account_id)
    .where((eb) => isOneOf(db, eb.ref('segment_members.segment_id'), segment_ids))
}

/** The condition that a customer is in any of these segments, looked up by the primary key. */
export const isInSegments = (
  db: Db,
  account_id: number,
  segment_ids: readonly number[],
): Expression<SqlBool> =>
  holds(
    customersInSegments(db, account_id, segment_ids)
      .clearSelect()
      .select(sql.lit(1).as('one'))
      .where('segment_members.entity_id', '=', sql.ref<number>('entities.id'))
      .limit(1),
  )
