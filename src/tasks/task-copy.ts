import { activeIds, type MemberOfAccount } from '../accounts/accounts.ts'
import type { TaskRow } from '../db/tables.ts'
import { type AddFault, collectFaults, type Fault, notAChoice } from '../errors.ts'
import type { TaskDraft } from './schemas.ts'

/** A task while it is being written: as it was found, and as it will be. What differs is saved and recorded. */
export interface TaskCopy {
  /** null: the task is new. */
  before: TaskRow | null
  row: TaskRow
  /** The record that it is about is one that the writer may not see: to him it is about nothing, and that changes nothing. */
  isParentHidden: boolean
  /** Who is named as having changed it, and when; undefined: whoever asks, and now. */
  updated_by?: number | undefined
  updated_at?: number | undefined
}

/** Everything of the account that drafts may name. */
export interface References {
  members: ReadonlyMap<number, MemberOfAccount>
  task_types: ReadonlySet<number>
}

/** Applies drafts to copies, and answers their faults under the `request_id` of each draft. */
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

/** A record is named by its id and its kind; the kind may be left out where the task has it already. */
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
