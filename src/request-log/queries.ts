import { lockNames } from '../db/dialect.ts'
import type { RequestLogDb } from '../db/request-log-database.ts'
import type { RequestBatchRow } from '../db/request-log-table.ts'

/** Inserts batches with one statement. Processes take turns, so that ids become visible in their order. */
export async function insertBatches(
  db: RequestLogDb,
  batches: readonly Omit<RequestBatchRow, 'id'>[],
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await lockNames(tx as never, ['request log'])
    await tx
      .insertInto('request_batches')
      .values(batches as never)
      .execute()
  })
}

/** Batches with ids in a range, both ends included. */
export interface BatchRange {
  from: number
  to: number
}

/** A batch without the messages, unless they are asked for. */
export type FoundBatch = Pick<RequestBatchRow, 'id' | 'heads'> & { messages?: RequestBatchRow['messages'] }

/** Batches of an account, the newest first; by the index on account and id. */
export function selectBatches(
  db: RequestLogDb,
  account_id: number,
  { from, to }: BatchRange,
  { limit, hasMessages }: { limit: number; hasMessages: boolean },
): Promise<FoundBatch[]> {
  return db
    .selectFrom('request_batches')
    .select(['id', 'heads'])
    .$if(hasMessages, (query) => query.select('messages'))
    .where('account_id', '=', account_id)
    .where('id', '>=', from)
    .where('id', '<=', to)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

/** The accounts with batches. */
export async function recordedAccounts(db: RequestLogDb): Promise<number[]> {
  const rows = await db.selectFrom('request_batches').select('account_id').groupBy('account_id').execute()
  return rows.map(({ account_id }) => account_id)
}

/** Sizes and times of batches of an account, from the index alone, the newest first. */
export const listBatches = (
  db: RequestLogDb,
  account_id: number,
): Promise<Pick<RequestBatchRow, 'id' | 'count' | 'at'>[]> =>
  db
    .selectFrom('request_batches')
    .select(['id', 'count', 'at'])
    .where('account_id', '=', account_id)
    .orderBy('id', 'desc')
    .execute()

/** Deletes the batches of an account with an id in a range. */
export async function deleteBatches(
  db: RequestLogDb,
  account_id: number,
  { from, to }: BatchRange,
): Promise<void> {
  await db
    .transaction()
    .execute((tx) =>
      tx
        .deleteFrom('request_batches')
        .where('account_id', '=', account_id)
        .where('id', '>=', from)
        .where('id', '<=', to)
        .execute(),
    )
}
