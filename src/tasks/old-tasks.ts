import type { Db, Tx } from '../db/database.ts'
import { noteDeletedIds } from '../db/dialect.ts'
import { type OldRows, oldPage } from '../db/old-rows.ts'
import { removeNotesOf } from '../notes/notes.ts'
import { deleteTaskRows, oldDeletedTasks, tasksOfRecords } from './old-task-queries.ts'

/** Tasks that somebody deleted long ago. They cannot be restored. */
export const oldDeletedOnes: OldRows<number> = {
  find: async (db, window) => {
    const rows = await oldDeletedTasks(db, window)
    const found = rows.map(({ id, updated_at }) => ({
      key: id,
      at: updated_at,
      stays: false,
      position: [updated_at, id],
    }))
    return oldPage(found, window.limit)
  },
  remove: async (tx, { account_id }, ids) => {
    await removeTasks(tx, account_id, ids)
    return ids.length
  },
}

/** The records among these that have an open task. */
export async function recordsWithOpenTasks(
  db: Db,
  account_id: number,
  ids: readonly number[],
): Promise<Set<number>> {
  const tasks = await tasksOfRecords(db, account_id, ids)
  const open = tasks.filter(({ is_completed, is_deleted }) => is_completed === 0 && is_deleted === 0)
  return new Set(open.map(({ entity_id }) => entity_id as number))
}

/** Deletes all tasks of records that are being deleted themselves. */
export async function removeTasksOf(
  tx: Tx,
  account_id: number,
  entity_ids: readonly number[],
): Promise<void> {
  const tasks = await tasksOfRecords(tx, account_id, entity_ids)
  await removeTasks(
    tx,
    account_id,
    tasks.map(({ id }) => id),
  )
}

async function removeTasks(tx: Tx, account_id: number, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  await removeNotesOf(tx, account_id, 'tasks', ids)
  await deleteTaskRows(tx, account_id, ids)
  await noteDeletedIds(tx, 'tasks', ids)
}
