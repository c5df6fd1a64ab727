import type { Actor } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import type { Tx } from '../db/database.ts'
import type { TaskRow } from '../db/tables.ts'
import type { CardType } from '../entities/records/entity-types.ts'
import {
  announce,
  type Change,
  dateText,
  elementTypes,
  type FormObject,
  findSubscriptions,
  type Sample,
} from '../webhooks/webhooks.ts'
import { selectTasks } from './queries.ts'
import type { TaskCopy } from './task-copy.ts'
import { hasNewResult } from './task-events.ts'

/** Announces the changes of these copies. `results` are the notes of new results, by task id. */
export async function announceTasks(
  ctx: Context,
  tx: Tx,
  actor: Actor,
  copies: readonly TaskCopy[],
  results: ReadonlyMap<number, number>,
): Promise<void> {
  if (copies.length === 0) return
  const subscriptions = await findSubscriptions(tx, actor.account_id)
  if (!subscriptions) return
  const changes = copies
    .map(
      (copy): Change => ({
        codes: codesOf(copy),
        record: `tasks ${copy.row.id}`,
        item: itemOf(copy, results),
      }),
    )
    .filter(({ codes }) => subscriptions.has(...codes))
  await announce(ctx, tx, actor, subscriptions, changes)
}

/** The item that a change of the latest task would announce. */
export const sampleTask: Sample = async (db, account_id, code) => {
  const row = await selectTasks(db, account_id).orderBy('id', 'desc').limit(1).executeTakeFirst()
  if (!row) return null
  return code === 'delete_task' ? { id: row.id } : stored(row)
}

function codesOf({ before, row }: TaskCopy): Change['codes'] {
  if (!before) return ['add_task']
  if (row.is_deleted === 1) return ['delete_task']
  const isReassigned = before.responsible_user_id !== row.responsible_user_id
  return isReassigned ? ['responsible_task', 'update_task'] : ['update_task']
}

const itemOf = (copy: TaskCopy, results: ReadonlyMap<number, number>): FormObject =>
  copy.row.is_deleted === 1 ? { id: copy.row.id } : { ...stored(copy.row), ...changed(copy, results) }

/** The members of every task, in the platform's order (docs/wire/webhooks.md#tasks). */
const stored = (row: TaskRow) => ({
  id: row.id,
  element_id: row.entity_id,
  element_type: row.entity_type === null ? null : elementTypes[row.entity_type as CardType],
  task_type: row.task_type_id,
  date_create: dateText(row.created_at),
  text: row.text,
  status: row.is_completed,
  account_id: row.account_id,
  created_user_id: row.created_by,
  last_modified: dateText(row.updated_at),
  responsible_user_id: row.responsible_user_id,
  complete_till: dateText(row.complete_till),
  main_user: row.responsible_user_id,
  modified_by: row.updated_by,
  complete_before: row.complete_till,
  created_at: row.created_at,
  updated_at: row.updated_at,
})

function changed(copy: TaskCopy, results: ReadonlyMap<number, number>): FormObject {
  const { before, row } = copy
  if (!before) return {}
  return {
    ...(row.is_completed === 1 && before.is_completed === 0 && { action_close: 1 }),
    ...(hasNewResult(copy) && { result: { id: results.get(row.id), text: row.result } }),
    ...(before.text !== row.text && { old_text: before.text }),
    ...(before.responsible_user_id !== row.responsible_user_id && {
      old_responsible_user_id: before.responsible_user_id,
    }),
  }
}
