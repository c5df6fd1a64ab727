import type { Migration } from './migration.ts'

/**
 * What lists of notes are walked by: every order, of all notes of a kind, of one type of note, and of one record. In all
 * but the last the key grows with time, so that adding to them costs little.
 */
export const noteLists: Migration = {
  name: '004-note-lists',
  counted: [],
  statements: [
    `create index notes_by_update on notes (account_id, entity_type, updated_at, id)`,
    `create index notes_by_type on notes (account_id, entity_type, note_type, id)`,
    `create index notes_by_type_update on notes (account_id, entity_type, note_type, updated_at, id)`,
    `create index notes_by_entity_update on notes (account_id, entity_id, updated_at, id)`,
    `create index notes_of_files on notes (account_id, entity_id, id) where note_type = 'attachment'`,
  ],
}
