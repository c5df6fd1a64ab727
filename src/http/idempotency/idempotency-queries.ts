import type { Db, Tx } from '../../db/database.ts'
import type { IdempotencyKeyRow } from '../../db/tables.ts'

export type KeyId = Pick<IdempotencyKeyRow, 'account_id' | 'caller' | 'key'>

export function findKey(db: Db, { account_id, caller, key }: KeyId): Promise<IdempotencyKeyRow | undefined> {
  return db
    .selectFrom('idempotency_keys')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('caller', '=', caller)
    .where('key', '=', key)
    .executeTakeFirst()
}

/** Stores an answer under its key and replaces an expired one. */
export async function keepAnswer(tx: Tx, row: IdempotencyKeyRow): Promise<void> {
  const { request_hash, status, answer, sealed_answer, created_at } = row
  await tx
    .insertInto('idempotency_keys')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'caller', 'key'])
        .doUpdateSet({ request_hash, status, answer, sealed_answer, created_at }),
    )
    .execute()
}

/** The time whose keys are deleted at once: some thousands of a busy server. */
const SECONDS_AT_ONCE = 10

/**
 * Deletes the oldest keys of those that were stored by this time. Returns whether there were any; others can be left. Uses
 * idempotency_keys_by_age.
 */
export async function deleteOldestKeys(tx: Tx, expired_at: number): Promise<boolean> {
  const { oldest } = await tx
    .selectFrom('idempotency_keys')
    .select((eb) => eb.fn.min<number | null>('created_at').as('oldest'))
    .executeTakeFirstOrThrow()
  if (oldest === null || oldest > expired_at) return false
  const until = Math.min(expired_at, oldest + SECONDS_AT_ONCE)
  await tx.deleteFrom('idempotency_keys').where('created_at', '<=', until).execute()
  return true
}
