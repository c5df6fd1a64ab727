import type { Context } from '../context.ts'
import type { Db } from '../db/database.ts'
import { oldestTransaction } from '../db/dialect.ts'
import type { DeliveryRow } from '../db/tables.ts'
import { type DeliveryKind, prepareCall, requestOf } from './attempt.ts'
import { deletePortion, newestDelivery, type Subject, selectInOrder } from './outgoing-queries.ts'
import { withBodies } from './queue-queries.ts'

/** A request of the queue as its first attempt sends it now, whether or not that is answered. */
export interface OutgoingRequest {
  method: 'GET' | 'POST'
  url: string
  headers: Record<string, string>
  body: string
  /** The integration whose secrets it contains; null if it contains none. */
  confidential_to: string | null
}

/**
 * The request of a delivery with its signatures; null if nothing can be sent any more, because the receiver was removed. It
 * is signed with the present secret, at the present time.
 */
export async function outgoingRequest(
  ctx: Context,
  delivery: DeliveryRow,
  kind: DeliveryKind = {},
): Promise<OutgoingRequest | null> {
  const row = { ...delivery, leased_until: 0, logged: 0, is_probe: false }
  const call = await prepareCall(ctx, row, kind)
  if (call.is_fault || !/^https?:/.test(call.url)) return null
  const { url, headers = {}, body = '', method } = requestOf(row, call, ctx.now())
  return {
    method: method === 'GET' ? 'GET' : 'POST',
    ...{ url, headers, body },
    confidential_to: call.confidential_to ?? null,
  }
}

/** The deliveries of an account after one, in the order of their ids. */
export async function deliveriesAfter(
  db: Db,
  account_id: number,
  range: { after: number; until: SettledEnd },
  limit: number,
): Promise<DeliveryRow[]> {
  const { id, before } = range.until
  const rows = await selectInOrder(db, account_id, { after: range.after, until: id }, limit)
  const first = before === null ? -1 : rows.findIndex(({ created_at }) => created_at >= before)
  return withBodies(db, first < 0 ? rows : rows.slice(0, first))
}

/** A position in the deliveries of an account before which no other one can appear. */
export interface SettledEnd {
  id: number
  /** Only deliveries that were queued before this time are settled; null: all. */
  before: number | null
}

/**
 * With several writers, ids are assigned before they are committed, so a delivery can appear behind a newer one. Everything
 * that was queued before the oldest open transaction is settled. The order matters: a transaction that takes an id up to
 * this end is either open when they are asked for, or has been committed. The clock is read before they are asked for,
 * because the answer can be late.
 */
export async function settledEnd({ db, clock }: Context, account_id: number): Promise<SettledEnd> {
  const id = await newestDelivery(db, account_id)
  const asked_at = clock()
  const age = await oldestTransaction(db)
  return { id, before: age === null ? null : Math.floor((asked_at - age) / 1000) - 1 }
}

/** Deletes all deliveries of a subject that were only streamed, in portions. */
export async function deleteStreamed(db: Db, of: Subject): Promise<void> {
  while (await db.transaction().execute((tx) => deletePortion(tx, of))) {}
}
