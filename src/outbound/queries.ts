import type { Db, Tx } from '../db/database.ts'
import { insertRows } from '../db/row-sets.ts'
import type { DeliveryAttemptRow, DeliveryRow } from '../db/tables.ts'

/** Rows of one INSERT: SQLite takes 32,766 parameters. */
const CHUNK = 1000

export async function insertDeliveries(tx: Tx, rows: DeliveryRow[]): Promise<void> {
  for (let i = 0; i < rows.length; i += CHUNK) {
    await tx
      .insertInto('deliveries')
      .values(rows.slice(i, i + CHUNK))
      .execute()
  }
}

export const insertAttempts = (tx: Tx, attempts: DeliveryAttemptRow[]): Promise<void> =>
  insertRows(tx, 'delivery_attempts', attempts)

/** Statuses of the last tries of a delivery, the latest first. */
export async function lastStatuses(db: Db, id: number, count: number): Promise<(number | null)[]> {
  const rows = await db
    .selectFrom('delivery_attempts')
    .select('status')
    .where('delivery_id', '=', id)
    .orderBy('attempt', 'desc')
    .limit(count)
    .execute()
  return rows.map(({ status }) => status)
}

export function selectDelivery(db: Db, account_id: number, id: number): Promise<DeliveryRow | undefined> {
  return db
    .selectFrom('deliveries')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Starts a failed delivery over. Answers whether it was one. */
export async function reopen(tx: Tx, { id, account_id, lane }: DeliveryRow, now: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('deliveries')
    .set({ state: 'pending', attempts: 0, next_attempt_at: now, leased_until: null, ended_at: null, lane })
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .where('state', '=', 'failed')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** By deliveries_by_subject, in the order in which they were queued. */
export function selectBySubject(
  db: Db,
  account_id: number,
  kind: string,
  subjects: string[],
): Promise<DeliveryRow[]> {
  return db
    .selectFrom('deliveries')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('kind', '=', kind)
    .where('subject', 'in', subjects)
    .orderBy('id')
    .execute()
}

export function selectAttempts(db: Db, account_id: number, id: number): Promise<DeliveryAttemptRow[]> {
  return db
    .selectFrom('delivery_attempts as a')
    .innerJoin('deliveries as d', 'd.id', 'a.delivery_id')
    .selectAll('a')
    .where('d.account_id', '=', account_id)
    .where('d.id', '=', id)
    .orderBy('a.attempt')
    .execute()
}

export type OldRow = Pick<DeliveryRow, 'id' | 'created_at' | 'ended_at'>

/** The next rows of the primary key after `after`. */
export function selectAfter(db: Db, after: number, limit: number): Promise<OldRow[]> {
  return db
    .selectFrom('deliveries')
    .select(['id', 'created_at', 'ended_at'])
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** Deletes those of `ids` that ended before a time, with their tries, and answers how many. */
export async function deleteEnded(tx: Tx, ids: number[], before: number): Promise<number> {
  const ended = tx.selectFrom('deliveries').select('id').where('id', 'in', ids).where('ended_at', '<', before)
  await tx.deleteFrom('delivery_attempts').where('delivery_id', 'in', ended).execute()
  const { numDeletedRows } = await tx
    .deleteFrom('deliveries')
    .where('id', 'in', ids)
    .where('ended_at', '<', before)
    .executeTakeFirst()
  return Number(numDeletedRows)
}
