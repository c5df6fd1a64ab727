import type { Db, Tx } from '../db/database.ts'
import type { WebhookListenerRow } from '../db/tables.ts'

export function selectListeners(db: Db, account_id: number): Promise<WebhookListenerRow[]> {
  return db.selectFrom('webhook_listeners').selectAll().where('account_id', '=', account_id).execute()
}

export async function insertListener(tx: Tx, row: WebhookListenerRow): Promise<void> {
  await tx.insertInto('webhook_listeners').values(row).execute()
}

export async function updateListener(
  tx: Tx,
  { account_id, id }: Pick<WebhookListenerRow, 'account_id' | 'id'>,
  changes: Partial<WebhookListenerRow>,
): Promise<void> {
  await tx
    .updateTable('webhook_listeners')
    .set(changes)
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .execute()
}

/** Deletes a listener that has ended. Returns false if it was prolonged meanwhile. */
export async function deleteEnded(
  tx: Tx,
  { account_id, id }: Pick<WebhookListenerRow, 'account_id' | 'id'>,
  now: number,
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('webhook_listeners')
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .where('expires_at', '<=', now)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Some of those that have ended, of all accounts. */
export const selectEndedListeners = (db: Db, now: number, limit: number): Promise<WebhookListenerRow[]> =>
  db.selectFrom('webhook_listeners').selectAll().where('expires_at', '<=', now).limit(limit).execute()
