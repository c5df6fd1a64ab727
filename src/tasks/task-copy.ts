import { activeIds, type MemberOfAccount } from '../accounts/accounts.ts'
import type { TaskRow } from '../db/tables.ts'
import { type AddFault, collectFaults, type Fault, notAChoice } from '../errors.ts'
import type { TaskDraft } from './schemas.ts'

/** A task during a change: the stored row and the new one. The differences are saved and recorded. */
export interface TaskCopy {
  /** null for a new task. */
  before: TaskRow | null
  row: TaskRow
  /** The writer cannot see the task's record. They see the task without it, and it stays. */
  isParentHidden: boolean
  /** The given author and time of the change; by default the actor and now. */
  updated_by?: number | undefined
  updated_at?: number | undefined
}

/** The valid references of drafts. */
export interface References {
  members: ReadonlyMap<number, MemberOfAccount>
  task_types: ReadonlySet<number>
}

/** Applies drafts to copies and returns their faults, with the `request_id` of each draft. */
export function applyDrafts(
  copies: readonly TaskCopy[],
  drafts: readonly TaskDraft[],
  references: References,
): Fault[] {
  const { faults, about } = collectFaults()
  drafts.forEach((draft, i) => {
    applyDraft(copies[i] as TaskCopy, draft, references, about(String(draft.request_id ?? i)))
  })
  return faults
}

function applyDraft(copy: TaskCopy, draft: TaskDraft, references: References, addFault: AddFault): void {
  const { row } = copy
  applyPeople(copy, draft, references, addFault)
  applyParent(copy, draft, addFault)
  if (draft.task_type_id !== undefined && draft.task_type_id !== row.task_type_id) {
    if (references.task_types.has(draft.task_type_id)) row.task_type_id = draft.task_type_id
    else addFault('NotSupportedChoice', 'task_type_id', notAChoice(references.task_types))
  }
  for (const column of ['text', 'complete_till', 'duration', 'created_at'] as const)
    if (draft[column] !== undefined) Object.assign(row, { [column]: draft[column] })
  if (draft.is_completed !== undefined) row.is_completed = draft.is_completed ? 1 : 0
  if (draft.result !== undefined) row.result = textOf(draft.result)
}

const textOf = (result: NonNullable<TaskDraft['result']> | null): string | null =>
  result === null || Array.isArray(result) || result.text === '' ? null : result.text

function applyPeople(
  copy: TaskCopy,
  { responsible_user_id, created_by, updated_by, updated_at }: TaskDraft,
  { members }: References,
  addFault: AddFault,
): void {
  const { row } = copy
  if (responsible_user_id !== undefined && responsible_user_id !== row.responsible_user_id) {
    if (members.get(responsible_user_id)?.is_active) row.responsible_user_id = responsible_user_id
    else addFault('NotSupportedChoice', 'responsible_user_id', notAChoice(activeIds(members)))
  }
  // 0 is the robot.
  const isKnown = (id: number) => id === 0 || members.has(id)
  if (created_by !== undefined) {
    if (isKnown(created_by)) row.created_by = created_by
    else addFault('NotSupportedChoice', 'created_by', notAChoice([0, ...activeIds(members)]))
  }
  if (updated_by !== undefined) {
    if (isKnown(updated_by)) copy.updated_by = updated_by
    else addFault('NotSupportedChoice', 'updated_by', notAChoice([0, ...activeIds(members)]))
  }
  if (updated_at !== undefined) copy.updated_at = updated_at
}

/** A record is given by id and kind. The kind is optional if the task has it already. */
function applyParent(
  { before, row, isParentHidden }: TaskCopy,
  { entity_id, entity_type }: TaskDraft,
  addFault: AddFault,
): void {
  const known = before && !isParentHidden ? before.entity_type : null
  if (entity_id === undefined) {
    if (entity_type !== undefined && entity_type !== known)
      addFault('FieldMissing', 'entity_id', 'This field is missing.')
  } else if (entity_id === null) {
    if (entity_type) addFault('NotNullable', 'entity_id', 'This value should not be null.')
    else if (!isParentHidden) Object.assign(row, { entity_type: null, entity_id: null })
  } else {
    const type = entity_type ?? known
    if (type === null) addFault('FieldMissing', 'entity_type', 'This field is missing.')
    else Object.assign(row, { entity_type: type, entity_id })
  }
}

export function hasChanged({ before, row, updated_by, updated_at }: TaskCopy): boolean {
  if (!before) return true
  const columns = Object.keys(row) as (keyof TaskRow)[]
  return (
    columns.some((column) => row[column] !== before[column]) ||
    (updated_by !== undefined && updated_by !== before.updated_by) ||
    (updated_at !== undefined && updated_at !== before.updated_at)
  )
}
