import type { Migration } from './migration.ts'

/**
 * Indexes for lists of notes: both orders, for all notes of a kind and for one note type. New keys are appended at
 * the end, so that writes are cheap. The notes of one record are few and are sorted.
 */
export const noteLists: Migration = {
  name: '004-note-lists',
  counted: [],
  statements: [
    `create index notes_by_update on notes (account_id, entity_type, updated_at, id)`,
    `create index notes_by_type on notes (account_id, entity_type, note_type, id)`,
    `create index notes_by_type_update on notes (account_id, entity_type, note_type, updated_at, id)`,
    `create index notes_of_files on notes (account_id, entity_id, id) where note_type = 'attachment'`,
  ],
}
