import { oldAudit } from '../accounts/accounts.ts'
import { oldMessages } from '../chats/chats.ts'
import type { OldRows } from '../db/old-rows.ts'
import type { Tables } from '../db/tables.ts'
import { oldMerged, oldTrash } from '../entities/entities.ts'
import { oldEvents } from '../events/events.ts'
import { oldGrants } from '../integrations/integrations.ts'
import { oldDeletedNotes } from '../notes/notes.ts'
import { oldDeletedTasks } from '../tasks/tasks.ts'
import type { KindName } from './kind-types.ts'
import { recordUses } from './record-uses.ts'

/** The search for old rows of a kind, and their deletion. */
export interface Kind {
  // biome-ignore lint/suspicious/noExplicitAny: the keys of a kind are known to its slice.
  rows: OldRows<any>
  /** Rows of a transaction: about 20 ms of the embedded database. */
  at_once: number
  /** The table of the rows, then those of what belongs to a row. They say how large a row is. */
  tables: readonly [keyof Tables, ...(keyof Tables)[]]
}

/**
 * In the order in which they are deleted: what belongs to a record comes before the record, so that the deletion counts the
 * rows that the dry run has counted.
 */
export const kinds: Record<KindName, Kind> = {
  events: { rows: oldEvents, at_once: 250, tables: ['events', 'event_keys'] },
  messages: { rows: oldMessages, at_once: 250, tables: ['chat_messages', 'chat_reactions'] },
  notes: { rows: oldDeletedNotes, at_once: 100, tables: ['notes'] },
  tasks: { rows: oldDeletedTasks, at_once: 50, tables: ['tasks'] },
  merged: {
    rows: oldMerged,
    at_once: 25,
    tables: ['entities', 'field_values', 'field_keys', 'search_words', 'entity_tags'],
  },
  trash: {
    rows: oldTrash(recordUses),
    at_once: 20,
    tables: ['entities', 'field_values', 'field_keys', 'search_words', 'entity_tags', 'links'],
  },
  grants: { rows: oldGrants, at_once: 250, tables: ['grants'] },
  audit: { rows: oldAudit, at_once: 250, tables: ['audit_log'] },
}
