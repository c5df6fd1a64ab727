import { type Compilable, type Expression, type SqlBool, sql } from 'kysely'
import { readInBackground } from '../../db/background-reads.ts'
import type { Db, Tx } from '../../db/database.ts'
import { forNoKeyUpdate, isOneOf } from '../../db/dialect.ts'
import { deleteRows, replaceRows } from '../../db/row-sets.ts'
import type { SegmentRow } from '../../db/tables.ts'
import { deleteMemberships, insertMemberships } from '../records/membership-queries.ts'

/** At most a hundred, in the order of their ids. */
export function listSegmentRows(db: Db, account_id: number): Promise<SegmentRow[]> {
  return db.selectFrom('segments').selectAll().where('account_id', '=', account_id).orderBy('id').execute()
}

/** The key of a segment. */
export type SegmentId = Pick<SegmentRow, 'account_id' | 'id'>

/** Segments with a filter, and those with members of a filter that was removed, of all accounts. */
export const computedSegments = (db: Db): Promise<SegmentId[]> =>
  db
    .selectFrom('segments')
    .select(['segments.account_id', 'segments.id'])
    .where((eb) =>
      eb.or([
        eb('segments.filter', 'is not', null),
        eb.exists(
          eb
            .selectFrom('segment_members')
            .select('segment_members.entity_id')
            .whereRef('segment_members.account_id', '=', 'segments.account_id')
            .whereRef('segment_members.segment_id', '=', 'segments.id')
            .where('segment_members.is_computed', '=', 1),
        ),
      ]),
    )
    .execute()

/** A segment of an account; undefined if it does not exist. */
export const findSegment = (db: Db, { account_id, id }: SegmentId): Promise<SegmentRow | undefined> =>
  db
    .selectFrom('segments')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .executeTakeFirst()

/** A segment that cannot be changed or deleted meanwhile; undefined if it does not exist. */
export const lockSegment = (tx: Tx, { account_id, id }: SegmentId): Promise<SegmentRow | undefined> =>
  tx
    .selectFrom('segments')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .modifyEnd(forNoKeyUpdate(tx))
    .executeTakeFirst()

export const replaceSegment = (tx: Tx, row: SegmentRow): Promise<void> =>
  replaceRows(tx, 'segments', ['account_id', 'id'], [row])

/** Removes some members of a segment, and returns how many; by segment_members_by_segment. */
export async function deleteSomeMembers(
  tx: Tx,
  { account_id, id }: SegmentId,
  limit: number,
): Promise<number> {
  const some = await tx
    .selectFrom('segment_members')
    .select(['account_id', 'entity_id', 'segment_id'])
    .where('account_id', '=', account_id)
    .where('segment_id', '=', id)
    .orderBy('entity_id')
    .limit(limit)
    .execute()
  await deleteMemberships(tx, some)
  return some.length
}

/** Deletes a segment with its members; by segment_members_by_segment. */
export async function deleteSegment(tx: Tx, { account_id, id }: SegmentRow): Promise<void> {
  await deleteRows(tx, 'segments', [{ account_id, id }])
  await deleteRows(tx, 'segment_members', [{ account_id, segment_id: id }])
}

/** Counts the members of one segment or of all, outside the trash. Empty segments have no row. */
export async function countMembers(
  db: Db,
  account_id: number,
  segment_id: number | undefined,
): Promise<Map<number, number>> {
  const query = db
    .selectFrom('segment_members')
    .innerJoin('entities', (join) =>
      join
        .on('entities.account_id', '=', account_id)
        .on('entities.entity_type', '=', sql.lit('customers'))
        .onRef('entities.id', '=', 'segment_members.entity_id'),
    )
    .select(['segment_members.segment_id', (eb) => eb.fn.countAll<number>().as('members')])
    .where('segment_members.account_id', '=', account_id)
    .where('entities.is_deleted', '=', 0)
    .$if(segment_id !== undefined, (one) =>
      one.where('segment_members.segment_id', '=', segment_id as number),
    )
    .groupBy('segment_members.segment_id')
  const rows = await readInBackground(db, account_id, query)
  return new Map(rows.map(({ segment_id, members }) => [segment_id, Number(members)]))
}

/** The differences between the computed members of a segment and the customers that it should have, as ids. */
export interface Differences {
  missing: number[]
  gone: number[]
}

/** Some of the differences, if the customers that fulfil the conditions are the members. Reads beside the event loop. */
export async function selectDifferences(
  db: Db,
  { account_id, id }: SegmentId,
  conditions: Expression<SqlBool>[],
  most: number,
): Promise<Differences> {
  const matching = db
    .selectFrom('entities')
    .select('entities.id')
    .where('entities.account_id', '=', account_id)
    .where('entities.entity_type', '=', sql.lit('customers'))
    .where((eb) => eb.and(conditions))
  const members = db
    .selectFrom('segment_members')
    .select('segment_members.entity_id as id')
    .where('segment_members.account_id', '=', account_id)
    .where('segment_members.segment_id', '=', id)
  const gone = members.where('segment_members.is_computed', '=', 1).except(matching).limit(most)
  const missing = matching.except(members).limit(most)
  const ids = async (query: Compilable<{ id: number }>) =>
    (await readInBackground(db, account_id, query)).map((row) => row.id)
  return { gone: await ids(gone), missing: await ids(missing) }
}

/** Adds and removes computed members of a segment. Those that people chose stay. */
export async function writeDifferences(
  tx: Tx,
  { account_id, id }: SegmentId,
  { gone, missing }: Differences,
): Promise<void> {
  await tx
    .deleteFrom('segment_members')
    .where('account_id', '=', account_id)
    .where('segment_id', '=', id)
    .where('is_computed', '=', 1)
    .where((eb) => isOneOf(tx, eb.ref('entity_id'), gone))
    .execute()
  await insertMemberships(
    tx,
    missing.map((entity_id) => ({ account_id, entity_id, segment_id: id, is_computed: 1 as const })),
  )
}
