import { type Actor, actingIntegration } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import type { Tx } from '../db/database.ts'
import type { EntityRow, TaskRow } from '../db/tables.ts'
import { setClosestTasks } from '../entities/entities.ts'
import { recordEvents } from '../events/events.ts'
import { addSystemNotes } from '../notes/notes.ts'
import { firstDeadlines, insertTasks, replaceTasks } from './queries.ts'
import { hasChanged, type TaskCopy } from './task-copy.ts'
import { eventsOf, hasNewResult } from './task-events.ts'
import { announceTasks } from './webhook-tasks.ts'

/**
 * Saves and records the differences of these copies, one statement per table. `parents` are their previous and new
 * records, locked.
 */
export async function saveCopies(
  ctx: Context,
  tx: Tx,
  actor: Actor,
  copies: readonly TaskCopy[],
  parents: ReadonlyMap<number, EntityRow>,
): Promise<void> {
  const changed = copies.filter(hasChanged)
  for (const { row, updated_by, updated_at } of changed) {
    row.updated_by = updated_by ?? actor.user_id
    row.updated_by_integration = actingIntegration(actor)
    row.updated_at = updated_at ?? ctx.now()
  }
  const rowsOf = (isNew: boolean) =>
    changed.filter(({ before }) => (before === null) === isNew).map(({ row }) => row)
  await insertTasks(tx, rowsOf(true))
  await replaceTasks(tx, rowsOf(false))
  await keepClosest(tx, actor.account_id, changed, parents)
  const notes = await addResultNotes(ctx, tx, actor, changed)
  await recordEvents(
    ctx,
    tx,
    actor,
    changed.flatMap((copy) => eventsOf(copy, notes.get(copy.row.id))),
  )
  await announceTasks(ctx, tx, actor, changed, notes)
}

/** Updates `closest_task_at` of the records where it changed. */
async function keepClosest(
  tx: Tx,
  account_id: number,
  changed: readonly TaskCopy[],
  parents: ReadonlyMap<number, EntityRow>,
): Promise<void> {
  const moved = changed.filter(({ before, row }) => !before || deadlineOf(before) !== deadlineOf(row))
  const ids = new Set(
    moved.flatMap(({ before, row }) => [before?.entity_id, row.entity_id]).filter((id) => id != null),
  )
  if (ids.size === 0) return
  const deadlines = await firstDeadlines(tx, account_id, [...ids])
  const stale = [...ids].flatMap((entity_id) => {
    const parent = parents.get(entity_id)
    const at = deadlines.get(entity_id) ?? null
    return parent && parent.closest_task_at !== at ? [{ entity_type: parent.entity_type, entity_id, at }] : []
  })
  await setClosestTasks(tx, account_id, stale)
}

/** The record of a task and its deadline; empty if the task is completed or deleted. */
const deadlineOf = ({ is_completed, is_deleted, entity_id, complete_till }: TaskRow): string =>
  is_completed === 1 || is_deleted === 1 || entity_id === null ? '' : `${entity_id} ${complete_till}`

/** Adds the notes of results, by task id. */
async function addResultNotes(
  ctx: Context,
  tx: Tx,
  actor: Actor,
  changed: readonly TaskCopy[],
): Promise<Map<number, number>> {
  const withResult = changed.filter(hasNewResult).map(({ row }) => row)
  const ids = await addSystemNotes(
    ctx,
    tx,
    actor,
    withResult.map((row) => ({
      note_type: 'task_result',
      params: { text: row.result as string, task_id: row.id },
      // The result of a task without a record belongs to the task.
      entity_type: row.entity_type ?? 'tasks',
      entity_id: row.entity_id ?? row.id,
      responsible_user_id: row.responsible_user_id,
    })),
  )
  return new Map(withResult.map(({ id }, i) => [id, ids[i] as number]))
}
