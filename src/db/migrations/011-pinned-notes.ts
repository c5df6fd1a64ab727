import type { Migration } from './migration.ts'

/** An index for the few pinned notes of a record or a kind. */
export const pinnedNotes: Migration = {
  name: '011-pinned-notes',
  counted: [],
  statements: [
    `create index notes_pinned on notes (account_id, entity_type, entity_id, id) where is_pinned = 1`,
  ],
}
