import type { Db, Tx } from '../db/database.ts'
import { forKeyShare, isOneOf } from '../db/dialect.ts'
import { deleteRows, insertMissingRows, insertRows, replaceRows } from '../db/row-sets.ts'
import type { AudienceMemberRow, AudienceRow } from '../db/tables.ts'

/** At most a few hundred, in the order of their ids. */
export function listAudienceRows(db: Db, account_id: number): Promise<AudienceRow[]> {
  return db.selectFrom('audiences').selectAll().where('account_id', '=', account_id).orderBy('id').execute()
}

/** The audience, locked against deletion until the transaction ends. */
export function holdAudience(tx: Tx, account_id: number, id: number): Promise<AudienceRow | undefined> {
  return tx
    .selectFrom('audiences')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .modifyEnd(forKeyShare(tx))
    .executeTakeFirst()
}

export const insertAudiences = (tx: Tx, rows: AudienceRow[]): Promise<void> =>
  insertRows(tx, 'audiences', rows)

export const replaceAudience = (tx: Tx, row: AudienceRow): Promise<void> =>
  replaceRows(tx, 'audiences', ['account_id', 'id'], [row])

/** Deletes the audience with its members, by audience_members_by_audience. */
export async function deleteAudience(tx: Tx, { account_id, id }: AudienceRow): Promise<void> {
  await deleteRows(tx, 'audiences', [{ account_id, id }])
  await deleteRows(tx, 'audience_members', [{ account_id, audience_id: id }])
}

/** The audiences of a record, in the order of their ids; by the primary key. */
export function audiencesOfRecord(
  db: Db,
  account_id: number,
  entity_id: number,
): Promise<(AudienceRow & Pick<AudienceMemberRow, 'added_at'>)[]> {
  return db
    .selectFrom('audience_members')
    .innerJoin('audiences', (join) =>
      join
        .on('audiences.account_id', '=', account_id)
        .onRef('audiences.id', '=', 'audience_members.audience_id'),
    )
    .selectAll('audiences')
    .select('audience_members.added_at')
    .where('audience_members.account_id', '=', account_id)
    .where('audience_members.entity_id', '=', entity_id)
    .orderBy('audience_members.audience_id')
    .execute()
}

export function findMember(
  db: Db,
  account_id: number,
  audience_id: number,
  entity_id: number,
): Promise<AudienceMemberRow | undefined> {
  return db
    .selectFrom('audience_members')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('audience_id', '=', audience_id)
    .where('entity_id', '=', entity_id)
    .executeTakeFirst()
}

export const insertMember = (tx: Tx, row: AudienceMemberRow): Promise<void> =>
  insertRows(tx, 'audience_members', [row])

export const deleteMember = (tx: Tx, { account_id, audience_id, entity_id }: AudienceMemberRow) =>
  deleteRows(tx, 'audience_members', [{ account_id, audience_id, entity_id }])

/** Moves merged records' places in audiences to the remaining record. */
export async function moveAudienceMembers(
  tx: Tx,
  account_id: number,
  from_ids: readonly number[],
  to: number,
): Promise<void> {
  const rows = await tx
    .selectFrom('audience_members')
    .selectAll()
    .where('account_id', '=', account_id)
    .where((eb) => isOneOf(tx, eb.ref('entity_id'), from_ids))
    .execute()
  await insertMissingRows(
    tx,
    'audience_members',
    rows.map((row) => ({ ...row, entity_id: to })),
  )
  await deleteRows(
    tx,
    'audience_members',
    rows.map(({ account_id, audience_id, entity_id }) => ({ account_id, audience_id, entity_id })),
  )
}

/** Takes records that are being deleted out of all audiences; by the primary key. */
export async function removeAudienceMembers(
  tx: Tx,
  account_id: number,
  entity_ids: readonly number[],
): Promise<void> {
  await tx
    .deleteFrom('audience_members')
    .where('account_id', '=', account_id)
    .where((eb) => isOneOf(tx, eb.ref('entity_id'), entity_ids))
    .execute()
}
