import { sql } from 'kysely'
import { readInBackground } from '../db/background-reads.ts'
import type { Db, Tx } from '../db/database.ts'
import { isOneOf } from '../db/dialect.ts'
import type { OldWindow } from '../db/old-rows.ts'
import { deleteRows } from '../db/row-sets.ts'
import type { TaskRow } from '../db/tables.ts'

/** The deleted tasks that changed least recently; a range of tasks_in_trash. */
export function oldDeletedTasks(
  db: Db,
  { account_id, before, after, limit }: OldWindow,
): Promise<Pick<TaskRow, 'id' | 'updated_at'>[]> {
  const [at = -1, id = 0] = after ?? []
  return readInBackground(
    db,
    account_id,
    db
      .selectFrom('tasks')
      .select(['id', 'updated_at'])
      .where('account_id', '=', account_id)
      .where('is_deleted', '=', sql.lit(1))
      .where('updated_at', '<', before)
      .where(sql<boolean>`(updated_at, id) > (${at}, ${id})`)
      .orderBy('updated_at')
      .orderBy('id')
      .limit(limit),
  )
}

/** The tasks of records, deleted or not; by tasks_by_entity. */
export function tasksOfRecords(
  db: Db,
  account_id: number,
  entity_ids: readonly number[],
): Promise<Pick<TaskRow, 'id' | 'entity_id' | 'is_completed' | 'is_deleted'>[]> {
  return readInBackground(
    db,
    account_id,
    db
      .selectFrom('tasks')
      .select(['id', 'entity_id', 'is_completed', 'is_deleted'])
      .where('account_id', '=', account_id)
      .where((eb) => isOneOf(db, eb.ref('entity_id'), entity_ids)),
  )
}

export const deleteTaskRows = (tx: Tx, account_id: number, ids: readonly number[]): Promise<void> =>
  deleteRows(
    tx,
    'tasks',
    ids.map((id) => ({ account_id, id })),
  )
