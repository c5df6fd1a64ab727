import type { TaskRow } from '../db/tables.ts'
import { type CardType, entityTypes } from '../entities/records/entity-types.ts'
import type { EventDraft } from '../events/event-types.ts'
import type { TaskCopy } from './task-copy.ts'

/** Whether the copy has a new result, which gets a note of its own. */
export const hasNewResult = ({ before, row }: TaskCopy): boolean =>
  row.result !== null && row.result !== (before?.result ?? null)

/**
 * The events of a copy: that the task was added or deleted, or one event per difference. Reopening a task has no event.
 */
export function eventsOf(copy: TaskCopy, note_id: number | undefined): EventDraft[] {
  const { before, row } = copy
  const about = aboutTask(row)
  if (row.is_deleted === 1) return [{ type: 'task_deleted', ...about }]
  const events: EventDraft[] = before ? changeEvents(before, row) : [{ type: 'task_added', ...about }]
  if (row.is_completed === 1 && before?.is_completed !== 1) events.push({ type: 'task_completed', ...about })
  if (note_id !== undefined)
    events.push({ type: 'task_result_added', ...subjectOf(row), after: [{ note: { id: note_id } }] })
  return events
}

function changeEvents(before: TaskRow, row: TaskRow): EventDraft[] {
  const about = aboutTask(row)
  const events: EventDraft[] = []
  if (before.task_type_id !== row.task_type_id)
    events.push({
      type: 'task_type_changed',
      ...about,
      before: [{ task_type: { id: before.task_type_id } }],
      after: [{ task_type: { id: row.task_type_id } }],
    })
  if (before.text !== row.text)
    events.push({
      type: 'task_text_changed',
      ...about,
      before: [{ task: { text: before.text } }],
      after: [{ task: { text: row.text } }],
    })
  if (before.complete_till !== row.complete_till)
    events.push({
      type: 'task_deadline_changed',
      ...about,
      before: [{ task_deadline: { timestamp: before.complete_till } }],
      after: [{ task_deadline: { timestamp: row.complete_till } }],
    })
  if (before.responsible_user_id !== row.responsible_user_id)
    events.push({
      type: 'entity_responsible_changed',
      ...about,
      before: [{ responsible_user: { id: before.responsible_user_id } }],
      after: [{ responsible_user: { id: row.responsible_user_id } }],
    })
  return events
}

/** The event is also shown on the card of the task's record. */
const aboutTask = ({ id, entity_id }: TaskRow) =>
  ({ entity_type: 'task', entity_id: id, ...(entity_id !== null && { card_id: entity_id }) }) as const

/** The result's event belongs to the task's record, or to the task if it has none. */
const subjectOf = ({ id, entity_type, entity_id }: TaskRow) =>
  entity_id === null
    ? ({ entity_type: 'task', entity_id: id } as const)
    : { entity_type: entityTypes[entity_type as CardType].singular, entity_id }
