import type { Db, Tx } from '../db/database.ts'
import type { IdempotencyKeyRow } from '../db/tables.ts'

export type KeyId = Pick<IdempotencyKeyRow, 'account_id' | 'caller' | 'key'>

/** Takes a key, or one that is from no later than `expired_at`; false when it is taken. Of many at once, one has it. */
export async function reserveKey(
  tx: Tx,
  row: KeyId & Pick<IdempotencyKeyRow, 'request_hash' | 'created_at'>,
  expired_at: number,
): Promise<boolean> {
  const fresh = { request_hash: row.request_hash, status: null, answer: null, created_at: row.created_at }
  const taken = await tx
    .insertInto('idempotency_keys')
    .values({ ...row, ...fresh })
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'caller', 'key'])
        .doUpdateSet(fresh)
        .where('idempotency_keys.created_at', '<=', expired_at),
    )
    .returning('key')
    .executeTakeFirst()
  return taken !== undefined
}

export function findKey(db: Db, { account_id, caller, key }: KeyId): Promise<IdempotencyKeyRow | undefined> {
  return db
    .selectFrom('idempotency_keys')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('caller', '=', caller)
    .where('key', '=', key)
    .executeTakeFirst()
}

export async function keepAnswer(
  tx: Tx,
  { account_id, caller, key }: KeyId,
  answer: { status: number; answer: string },
): Promise<void> {
  await tx
    .updateTable('idempotency_keys')
    .set(answer)
    .where('account_id', '=', account_id)
    .where('caller', '=', caller)
    .where('key', '=', key)
    .execute()
}

export async function releaseKey(tx: Tx, { account_id, caller, key }: KeyId): Promise<void> {
  await tx
    .deleteFrom('idempotency_keys')
    .where('account_id', '=', account_id)
    .where('caller', '=', caller)
    .where('key', '=', key)
    .execute()
}

/** By idempotency_keys_by_age. */
export async function deleteKeys(tx: Tx, expired_at: number): Promise<void> {
  await tx.deleteFrom('idempotency_keys').where('created_at', '<=', expired_at).execute()
}
