import type { Migration } from './migration.ts'

/** What the pinned notes of a record, and of all records of a kind, are found by. They are few. */
export const pinnedNotes: Migration = {
  name: '011-pinned-notes',
  counted: [],
  statements: [
    `create index notes_pinned on notes (account_id, entity_type, entity_id, id) where is_pinned = 1`,
  ],
}
