import { actingIntegration } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import type { Tx } from '../db/database.ts'
import { nextIds } from '../db/dialect.ts'
import type { Cause } from '../events/events.ts'
import type { SystemNoteDraft } from './note-types.ts'
import { insertNotes } from './queries.ts'

export { addNotes, addNotesInside } from './add.ts'
export { claimCallIds, TAKEN_CALL } from './call-ids.ts'
export { editNotes } from './edit.ts'
export { fileNotesSeen } from './file-uses.ts'
export { listNotes, readNotes, showNotes } from './list.ts'
export { listNotesOfKinds, type NoteOfKind } from './list-kinds.ts'
export { knownNoteTypes } from './note-types.ts'
export { oldDeleted as oldDeletedNotes, removeNotesOf } from './old-notes.ts'
export type { CardType, NamedParent, Parent, Parents, Visibility } from './parents.ts'
export { kindsOfNotes, moveNotes, recordsWithFile } from './queries.ts'
export { legacyNoteTypes, sampleNote } from './webhook-notes.ts'
export { type NoteDraft, writeNotes } from './write.ts'

/** Writes notes about what happened, and returns their ids in the given order: new ones, or those that were taken. */
export async function addSystemNotes(
  ctx: Context,
  tx: Tx,
  by: Cause,
  drafts: SystemNoteDraft[],
  taken?: readonly number[],
): Promise<readonly number[]> {
  if (drafts.length === 0) return []
  const now = ctx.now()
  const ids = taken ?? (await nextIds(tx, 'notes', drafts.length))
  await insertNotes(
    tx,
    drafts.map((draft, i) => ({
      account_id: by.account_id,
      entity_type: draft.entity_type,
      id: ids[i] as number,
      entity_id: draft.entity_id,
      note_type: draft.note_type,
      params: JSON.stringify(draft.params),
      responsible_user_id: draft.responsible_user_id,
      created_by: by.user_id,
      updated_by: by.user_id,
      created_by_integration: actingIntegration(by),
      updated_by_integration: actingIntegration(by),
      created_at: now,
      updated_at: now,
      file_uuid: null,
      is_pinned: 0,
      is_deleted: 0,
    })),
  )
  return ids
}
