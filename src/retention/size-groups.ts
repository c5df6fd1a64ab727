/** Groups of tables that people understand. */
export const sizeGroups = [
  'records',
  'notes_and_tasks',
  'events',
  'messages',
  'files',
  'audit',
  'sent',
  'access',
  'other',
] as const
export type SizeGroup = (typeof sizeGroups)[number]

interface TableGroup {
  group: SizeGroup
  /** Whether its rows are those that people count. */
  is_counted: boolean
}

/** By group: the table whose rows people count, then the others. */
const members: Partial<Record<SizeGroup, readonly string[][]>> = {
  records: [
    ['entities'],
    ['field_values', 'field_keys', 'search_words', 'entity_tags', 'links', 'transactions', 'incoming_leads'],
  ],
  notes_and_tasks: [['notes', 'tasks'], ['call_ids']],
  events: [['events'], ['event_keys']],
  messages: [['chat_messages'], ['chat_reactions', 'conversations', 'talks', 'chat_senders']],
  files: [['files'], ['file_versions', 'file_parts', 'upload_sessions', 'file_usage']],
  audit: [['audit_log'], []],
  sent: [
    ['deliveries'],
    ['delivery_bodies', 'delivery_attempts', 'webhook_announcements', 'automation_runs', 'jobs', 'job_rows'],
  ],
  access: [
    ['grants'],
    ['token_pairs', 'authorization_codes', 'sessions', 'consent_forms', 'idempotency_keys'],
  ],
}

/** By table; those without an entry are `other`. */
export const tableGroups: Readonly<Record<string, TableGroup>> = Object.fromEntries(
  Object.entries(members).flatMap(([group, [counted = [], others = []]]) =>
    [...counted, ...others].map((table) => [
      table,
      { group: group as SizeGroup, is_counted: counted.includes(table) },
    ]),
  ),
)
