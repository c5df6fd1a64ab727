import { actingIntegration } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import { type Merged, setClosestTasks } from '../entities/entities.ts'
import { changeParent, firstDeadlines } from './queries.ts'
import type { TaskCopy } from './task-copy.ts'
import { announceTasks } from './webhook-tasks.ts'

/** The public API of the slice: tasks and their results. */
export { eventSubjects } from './event-subjects.ts'
export { listTasks, readTask, readTasks } from './list.ts'
export { oldDeletedOnes as oldDeletedTasks, recordsWithOpenTasks, removeTasksOf } from './old-tasks.ts'
export { showTasks } from './view.ts'
export { sampleTask } from './webhook-tasks.ts'
export { addTasks, addTasksInside, deleteTasks, editTasks, type NewTaskDraft } from './write.ts'

/** Moves the tasks of merged records to the remaining one, and announces them. The caller has locked all these records. */
export const moveTasks =
  (ctx: Context): Merged =>
  async (tx, account_id, from_ids, to, actor) => {
    const moved = await changeParent(tx, account_id, from_ids, {
      entity_id: to,
      updated_by: actor.user_id,
      updated_by_integration: actingIntegration(actor),
      updated_at: ctx.now(),
    })
    const entity_type = moved[0]?.entity_type
    if (!entity_type) return
    const at = (await firstDeadlines(tx, account_id, [to])).get(to) ?? null
    await setClosestTasks(tx, account_id, [{ entity_type, entity_id: to, at }])
    const copies = moved
      .filter(({ is_deleted }) => is_deleted === 0)
      .toSorted((a, b) => a.id - b.id)
      .map((row): TaskCopy => ({ before: row, row, isParentHidden: false }))
    await announceTasks(ctx, tx, actor, copies, new Map())
  }
