import { NO_ACCOUNT, readInBackground } from '../db/background-reads.ts'
import type { Db, Tx } from '../db/database.ts'
import { forUpdate, isOneOf, tableOf } from '../db/dialect.ts'
import { prepared } from '../db/prepared.ts'
import type { DeliveryAttemptRow, DeliveryBodyRow, DeliveryRow } from '../db/tables.ts'

export function selectDelivery(db: Db, account_id: number, id: number): Promise<DeliveryRow | undefined> {
  return db
    .selectFrom('deliveries')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .executeTakeFirst()
}

/**
 * The deliveries of some subjects of a kind, in the order in which they were queued; kept for 30 days. By
 * deliveries_by_subject.
 */
export async function findDeliveries(
  db: Db,
  account_id: number,
  kind: string,
  subjects: string[],
): Promise<DeliveryRow[]> {
  if (subjects.length === 0) return []
  return db
    .selectFrom('deliveries')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('kind', '=', kind)
    .where('subject', 'in', subjects)
    .orderBy('id')
    .execute()
}

/** Every attempt of a delivery, the first one first. `answer` is the receiver's answer, at most 4 KiB. */
export function listAttempts(db: Db, account_id: number, id: number): Promise<DeliveryAttemptRow[]> {
  return db
    .selectFrom('delivery_attempts as a')
    .innerJoin('deliveries as d', 'd.id', 'a.delivery_id')
    .selectAll('a')
    .where('d.account_id', '=', account_id)
    .where('d.id', '=', id)
    .orderBy('a.attempt')
    .execute()
}

/** Restarts a failed delivery. Returns whether it had failed. */
export async function restart(
  tx: Tx,
  { id, account_id, ordering_key }: DeliveryRow,
  now: number,
): Promise<boolean> {
  const ready = {
    state: 'ready',
    attempts: 0,
    next_attempt_at: now,
    leased_until: null,
    ended_at: null,
  } as const
  const { numUpdatedRows } = await tx
    .updateTable('deliveries')
    .set({ ...ready, ordering_key })
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .where('state', '=', 'failed')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** A circuit, or the part of it that belongs to one account. */
export interface CircuitPart {
  circuit: string
  account_id?: number
}

/** The owner's key of a delivery. */
export type DeliveryKey = Pick<DeliveryRow, 'account_id' | 'kind' | 'subject' | 'id'>

/**
 * The pending deliveries of a circuit. Owners lock what they belong to before they cancel, as before they enqueue. By
 * deliveries_by_circuit.
 */
export function findPending(db: Db, part: CircuitPart): Promise<DeliveryKey[]> {
  return pendingOf(db, part).execute()
}

/**
 * Ends the pending deliveries of a circuit as failed, or those of one account in it, and returns them, the oldest first.
 * The caller informs their owners. The outcome of a running attempt is dropped, because its lease is gone.
 */
export async function cancelDeliveries(tx: Tx, part: CircuitPart, now: number): Promise<DeliveryKey[]> {
  const pending = await pendingOf(tx, part).modifyEnd(forUpdate(tx)).execute()
  const ids = pending.map(({ id }) => id)
  if (ids.length > 0)
    await tx
      .updateTable('deliveries')
      .set({ state: 'failed', leased_until: null, ended_at: now })
      .where((eb) => isOneOf(tx, eb.ref('id'), ids))
      .execute()
  return pending
}

function pendingOf(db: Db, { circuit, account_id }: CircuitPart) {
  const pending = db
    .selectFrom('deliveries')
    .select(['id', 'account_id', 'kind', 'subject'])
    .where('ended_at', 'is', null)
    .where('circuit', '=', circuit)
    .orderBy('id')
  return account_id === undefined ? pending : pending.where('account_id', '=', account_id)
}

/** Those of some ordering keys that have pending deliveries: one look-up of deliveries_by_ordering_key for each. */
export async function findPendingKeys(
  db: Db,
  account_id: number,
  keys: readonly string[],
): Promise<Set<string>> {
  if (keys.length === 0) return new Set()
  const rows = await pendingKeys(db, { account_id, keys: [...keys] })
  return new Set(rows.map(({ value }) => value))
}

const pendingKeys = prepared((db, at: { account_id: number; keys: string[] }) =>
  db
    .selectFrom(tableOf(db, at.keys, 'text').as('key'))
    .select('key.value')
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('deliveries')
          .select('deliveries.id')
          .where('deliveries.ended_at', 'is', null)
          .where('deliveries.account_id', '=', at.account_id)
          .whereRef('deliveries.ordering_key', '=', 'key.value'),
      ),
    ),
)

/** The number of pending deliveries of all accounts, and when the oldest one was queued. By deliveries_by_ordering_key. */
export async function countPending(db: Db): Promise<{ count: number; oldest: number | null }> {
  const query = db
    .selectFrom('deliveries')
    .where('ended_at', 'is', null)
    .select((eb) => [
      eb.fn.countAll<number>().as('count'),
      eb.fn.min<number | null>('created_at').as('oldest'),
    ])
  const [counted] = await readInBackground(db, NO_ACCOUNT, query)
  return counted ?? { count: 0, oldest: null }
}

/** Seconds for which an ended delivery and its attempts are kept. */
export const RETENTION = 30 * 86_400
const PORTION = 500

/**
 * Deletes deliveries that ended more than 30 days ago, in portions, and returns how many. Ids rise with time: it reads the
 * primary key upwards and stops at the first portion that ends in a younger row.
 */
export async function deleteExpiredDeliveries(db: Db, now: number): Promise<number> {
  const before = now - RETENTION
  let deleted = 0
  for (let after: number | null = 0; after !== null; ) {
    const rows = await selectAfter(db, after)
    const expired = rows.filter(({ ended_at }) => ended_at !== null && ended_at < before).map(({ id }) => id)
    if (expired.length > 0)
      deleted += await db.transaction().execute((tx) => deleteEnded(tx, expired, before))
    const last = rows.at(-1)
    after = rows.length === PORTION && last && last.created_at < before ? last.id : null
  }
  return deleted
}

/** The next rows of the primary key. */
function selectAfter(db: Db, after: number): Promise<Pick<DeliveryRow, 'id' | 'created_at' | 'ended_at'>[]> {
  return db
    .selectFrom('deliveries')
    .select(['id', 'created_at', 'ended_at'])
    .where('id', '>', after)
    .orderBy('id')
    .limit(PORTION)
    .execute()
}

/**
 * Deletes old shared bodies that no delivery sends any more, in portions, and returns how many. Reads the primary key
 * upwards, as deleteExpiredDeliveries does.
 */
export async function deleteUnusedBodies(db: Db, now: number): Promise<number> {
  const before = now - RETENTION
  let deleted = 0
  for (let after: number | null = 0; after !== null; ) {
    const rows = await selectBodiesAfter(db, after)
    const old = rows.filter(({ created_at }) => created_at < before).map(({ id }) => id)
    if (old.length > 0) deleted += await db.transaction().execute((tx) => deleteUnused(tx, old))
    const last = rows.at(-1)
    after = rows.length === PORTION && last && last.created_at < before ? last.id : null
  }
  return deleted
}

const selectBodiesAfter = (db: Db, after: number): Promise<Pick<DeliveryBodyRow, 'id' | 'created_at'>[]> =>
  db
    .selectFrom('delivery_bodies')
    .select(['id', 'created_at'])
    .where('id', '>', after)
    .orderBy('id')
    .limit(PORTION)
    .execute()

/** By deliveries_by_body. */
async function deleteUnused(tx: Tx, ids: number[]): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('delivery_bodies')
    .where((eb) => isOneOf(tx, eb.ref('id'), ids))
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('deliveries').select('id').whereRef('body_id', '=', 'delivery_bodies.id'))),
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** Checks again that they have ended: a person may just have restarted one. */
async function deleteEnded(tx: Tx, ids: number[], before: number): Promise<number> {
  const ended = tx.selectFrom('deliveries').select('id').where('id', 'in', ids).where('ended_at', '<', before)
  await tx.deleteFrom('delivery_attempts').where('delivery_id', 'in', ended).execute()
  const { numDeletedRows } = await tx
    .deleteFrom('deliveries')
    .where('id', 'in', ids)
    .where('ended_at', '<', before)
    .executeTakeFirst()
  return Number(numDeletedRows)
}
