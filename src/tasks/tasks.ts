import type { Tx } from '../db/database.ts'
import { setClosestTasks } from '../entities/entities.ts'
import { changeParent, firstDeadlines } from './queries.ts'

/** The public API of the slice: tasks and their results. */
export { eventSubjects } from './event-subjects.ts'
export { listTasks, readTask, readTasks } from './list.ts'
export { oldDeletedOnes as oldDeletedTasks, recordsWithOpenTasks, removeTasksOf } from './old-tasks.ts'
export { showTasks } from './view.ts'
export { sampleTask } from './webhook-tasks.ts'
export { addTasks, addTasksInside, deleteTasks, editTasks, type NewTaskDraft } from './write.ts'

/** Moves the tasks of merged records to the remaining one. The caller has locked all these records. */
export async function moveTasks(tx: Tx, account_id: number, from_ids: number[], to: number): Promise<void> {
  const entity_type = await changeParent(tx, account_id, from_ids, to)
  if (entity_type === undefined) return
  const at = (await firstDeadlines(tx, account_id, [to])).get(to) ?? null
  await setClosestTasks(tx, account_id, [{ entity_type, entity_id: to, at }])
}
