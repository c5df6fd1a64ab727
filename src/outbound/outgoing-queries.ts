import type { Db, Tx } from '../db/database.ts'
import { isOneOf } from '../db/dialect.ts'
import type { DeliveryRow } from '../db/tables.ts'

/** The owner's name for some deliveries of an account. */
export interface Subject {
  account_id: number
  kind: string
  subject: string
}

/** The id of the newest delivery of an account; 0 if there is none. By deliveries_in_order. */
export async function newestDelivery(db: Db, account_id: number): Promise<number> {
  const row = await db
    .selectFrom('deliveries')
    .select('id')
    .where('account_id', '=', account_id)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.id ?? 0
}

/** The deliveries of an account between two ids, without the first. By deliveries_in_order. */
export function selectInOrder(
  db: Db,
  account_id: number,
  { after, until }: { after: number; until: number },
  limit: number,
): Promise<DeliveryRow[]> {
  return db
    .selectFrom('deliveries')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('id', '>', after)
    .where('id', '<=', until)
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** The deliveries that some requests caused, after a delivery, in the order of their ids. By deliveries_in_order. */
export function selectCausedDeliveries(
  db: Db,
  { account_id, after, request_ids }: { account_id: number; after: number; request_ids: readonly string[] },
  limit: number,
): Promise<DeliveryRow[]> {
  return db
    .selectFrom('deliveries')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('id', '>', after)
    .where((eb) => isOneOf(db, eb.ref('request_id'), request_ids))
    .orderBy('id')
    .limit(limit)
    .execute()
}

const PORTION = 500

/** Deletes some deliveries of a subject, none of which was attempted; returns whether there may be more. */
export async function deletePortion(tx: Tx, { account_id, kind, subject }: Subject): Promise<boolean> {
  const some = tx
    .selectFrom('deliveries')
    .select('id')
    .where('account_id', '=', account_id)
    .where('kind', '=', kind)
    .where('subject', '=', subject)
    .orderBy('id')
    .limit(PORTION)
  const { numDeletedRows } = await tx
    .deleteFrom('deliveries')
    .where('account_id', '=', account_id)
    .where('id', 'in', some)
    .executeTakeFirst()
  return numDeletedRows === BigInt(PORTION)
}
