import type { Migration } from './migration.ts'

/**
 * What lists of notes are walked by: both orders, of all notes of a kind and of one type of note. The keys grow with time,
 * so that adding to them costs little. The notes of one record are few, and are sorted.
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
