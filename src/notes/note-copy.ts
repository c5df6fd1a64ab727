import type { NoteRow } from '../db/tables.ts'
import type { StoredFile } from '../drive/drive.ts'
import type { AddFault, Fault } from '../errors.ts'
import { lenient } from '../http/bodies/lenient-bodies.ts'
import { faultsIn } from '../http/bodies/validation.ts'
import { attachmentOf, NO_FILE, type WrittenAttachment } from './attachments.ts'
import { isEditable, noteTypes, type WritableNoteType } from './note-types.ts'
import { checkPeople, type Members } from './people.ts'
import type { NotePatch } from './schemas.ts'
import { fileIn, storedParams } from './write.ts'

/** A note during a change: the stored row and the new one. The differences are saved. */
export interface NoteCopy {
  before: NoteRow
  row: NoteRow
  /** The given author and time of the change; by default the actor and now. */
  updated_by?: number | undefined
  updated_at?: number | undefined
}

export const copyOf = (row: NoteRow): NoteCopy => ({ before: { ...row }, row })

/** The valid references of patches. */
export interface References {
  members: Members
  files: ReadonlyMap<string, StoredFile>
}

/** Applies a patch to a copy and returns its faults. */
export function applyPatch(
  copy: NoteCopy,
  patch: NotePatch,
  references: References,
  request_id: string,
  addFault: AddFault,
): Fault[] {
  const { row } = copy
  const { note_type } = row
  if (!isEditable(note_type)) {
    addFault(
      'NotSupportedChoice',
      'note_type',
      `Notes of the type ${note_type} record what happened and cannot be changed.`,
    )
    return []
  }
  if (patch.note_type !== undefined && patch.note_type !== note_type) {
    addFault('NotSupportedChoice', 'note_type', `The type of a note cannot be changed. It is ${note_type}.`)
    return []
  }
  if (patch.entity_id !== undefined && patch.entity_id !== row.entity_id)
    addFault(
      'NotSupportedChoice',
      'entity_id',
      `The record of a note cannot be changed. It is ${row.entity_id}.`,
    )
  checkPeople(patch, references.members, addFault, row.responsible_user_id)
  for (const column of ['responsible_user_id', 'created_by', 'created_at'] as const)
    if (patch[column] !== undefined) row[column] = patch[column]
  if (patch.updated_by !== undefined) copy.updated_by = patch.updated_by
  if (patch.updated_at !== undefined) copy.updated_at = patch.updated_at
  return patch.params === undefined
    ? []
    : applyParams(row, note_type, patch.params, references, request_id, addFault)
}

function applyParams(
  row: NoteRow,
  note_type: WritableNoteType,
  written: object,
  { files }: References,
  request_id: string,
  addFault: AddFault,
): Fault[] {
  const schema = noteTypes[note_type].params
  const previous = JSON.parse(row.params)
  const given = lenient(schema)(written) as object
  const params = { ...previous, ...given }
  // A text that was stored with an earlier, larger limit is valid until it is changed.
  const faults = faultsIn(schema, params, request_id, 'params').filter(({ path }) => {
    const name = path.split('.')[1] as string
    return !Object.hasOwn(previous, name) || previous[name] !== params[name as keyof typeof params]
  })
  if (faults.length > 0) return faults
  if (note_type === 'message_cashier' && !canMove(previous.status, params.status))
    addFault(
      'NotSupportedChoice',
      'params.status',
      `The status of this message is ${previous.status} and cannot be changed. Only created messages can be shown or canceled.`,
    )
  else if (note_type === 'attachment') {
    const attachment = patchedAttachment(previous, given, files)
    if (attachment) {
      row.params = storedParams(note_type, attachment)
      row.file_uuid = fileIn(note_type, attachment)
    } else addFault('NotSupportedChoice', 'params.file_uuid', NO_FILE)
  } else row.params = storedParams(note_type, params)
  return []
}

/** A message to the cashier is shown or canceled once (N3). */
const canMove = (from: string, to: string): boolean => from === to || from === 'created'

/** The new file of a patch; undefined if it does not change. */
export function otherFile({ params }: NotePatch, row: NoteRow | undefined): string | undefined {
  const { file_uuid } = (params ?? {}) as { file_uuid?: unknown }
  if (row?.note_type !== 'attachment' || typeof file_uuid !== 'string') return undefined
  return file_uuid.toLowerCase() === JSON.parse(row.params).file_uuid ? undefined : file_uuid.toLowerCase()
}

/** A new file has its own name and version, unless they are given. */
function patchedAttachment(
  previous: ReturnType<typeof attachmentOf>,
  given: Partial<WrittenAttachment>,
  files: ReadonlyMap<string, StoredFile>,
) {
  const uuid = given.file_uuid?.toLowerCase() ?? previous.file_uuid
  if (uuid === previous.file_uuid) {
    const file_name = given.file_name ?? previous.file_name
    const version_uuid = given.version_uuid?.toLowerCase() ?? previous.version_uuid
    return { ...previous, text: file_name, file_name, version_uuid }
  }
  const file = files.get(uuid)
  return file && attachmentOf(file, given)
}

export function hasChanged({ before, row, updated_by, updated_at }: NoteCopy): boolean {
  const columns = Object.keys(row) as (keyof NoteRow)[]
  return (
    columns.some((column) => row[column] !== before[column]) ||
    (updated_by !== undefined && updated_by !== before.updated_by) ||
    (updated_at !== undefined && updated_at !== before.updated_at)
  )
}
