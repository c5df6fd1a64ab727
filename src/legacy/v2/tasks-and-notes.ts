import { type Static, Type } from 'typebox'
import { legacyNoteTypes } from '../../notes/notes.ts'
import type { ParentType, Task } from '../../tasks/schemas.ts'
import { elementTypes } from '../../webhooks/webhooks.ts'
import { type LegacyNote, NOTE_TYPE } from '../list-notes.ts'
import { ELEMENT_TYPE, TASK_TYPE } from '../tasks.ts'
import { Links, linksById, OrNone } from './bodies.ts'

/** Tasks and notes as the second API has them. An absent number is 0, and an absent result an empty object. */

const own = {
  id: Type.Integer(),
  element_id: Type.Integer({ description: 'The id of the record. 0: none.' }),
  element_type: Type.Integer({ description: ELEMENT_TYPE }),
  text: Type.String(),
  created_at: Type.Integer(),
  updated_at: Type.Integer(),
  responsible_user_id: Type.Integer(),
  created_by: Type.Integer(),
  account_id: Type.Integer(),
  group_id: Type.Integer(),
  _links: Links,
}

export const V2Task = Type.Object(
  {
    ...own,
    complete_till_at: Type.Integer({ description: 'Unix seconds when the task is due.' }),
    task_type: Type.Integer({ description: TASK_TYPE }),
    is_completed: Type.Boolean(),
    result: OrNone({
      id: Type.Integer({ description: 'The id of the task, as `element_id` of notes with `type=task`.' }),
      text: Type.String(),
    }),
  },
  { title: 'V2Task' },
)

export const V2Note = Type.Object(
  {
    ...own,
    is_editable: Type.Boolean({ description: 'Whether the note can be changed.' }),
    attachment: Type.String({ description: 'The name of the file, or empty.' }),
    note_type: Type.Integer({ description: NOTE_TYPE }),
    params: Type.Unsafe<object>({
      type: 'object',
      description: 'The params of a call, an SMS or a service message; empty for a text and a file.',
      additionalProperties: true,
    }),
  },
  { title: 'V2Note' },
)

export const taskView = (task: Task): Static<typeof V2Task> => ({
  id: task.id,
  element_id: task.entity_id ?? 0,
  element_type: task.entity_type === null ? 0 : elementTypes[task.entity_type as ParentType],
  complete_till_at: task.complete_till,
  task_type: task.task_type_id,
  text: task.text,
  created_at: task.created_at,
  updated_at: task.updated_at,
  responsible_user_id: task.responsible_user_id,
  is_completed: task.is_completed,
  created_by: task.created_by,
  account_id: task.account_id,
  group_id: task.group_id,
  result: Array.isArray(task.result) ? {} : { id: task.id, ...task.result },
  _links: linksById('tasks', task.id),
})

/** Types of notes whose text is no JSON. */
const PLAIN: readonly (number | undefined)[] = [legacyNoteTypes.common, legacyNoteTypes.attachment]

/** The first API has the params of other notes as JSON in their text. */
export function noteView(note: Static<typeof LegacyNote>): Static<typeof V2Note> {
  const hasText = PLAIN.includes(note.note_type)
  return {
    id: note.id,
    responsible_user_id: note.responsible_user_id,
    created_by: note.created_user_id,
    created_at: note.date_create,
    updated_at: note.last_modified,
    account_id: note.account_id,
    group_id: note.group_id,
    is_editable: note.editable === 'Y',
    element_id: note.element_id,
    element_type: note.element_type,
    attachment: note.attachement,
    note_type: note.note_type,
    text: hasText ? note.text : '',
    params: hasText ? {} : JSON.parse(note.text),
    _links: linksById('notes', note.id),
  }
}
