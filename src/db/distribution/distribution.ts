import type { Tables } from '../tables.ts'

/**
 * Where a table is in a database that is spread over several servers with Citus.
 * - `distributed`: each account's rows are on one server. A statement states the account as a constant, and joins other
 *   distributed tables of this account, and reference tables.
 * - `reference`: every server has all rows.
 * - `plain`: on the coordinator alone. A statement about it must not name a distributed table: it would be taken apart,
 *   and its parts would neither share a snapshot nor hold its locks.
 */
export type Placement = 'distributed' | 'reference' | 'plain'

/** Tables of the database that are not in a backup. */
type BesideTables = 'request_batches' | 'changed_tables' | 'changed_tables_floor'

/** The placement of each table. A new table of an account's records is distributed. */
export const placements: Record<keyof Tables | BesideTables, Placement> = {
  // Tables of the program about the database itself.
  migrations: 'plain',
  additive_migrations: 'plain',
  settings: 'plain',
  sequences: 'plain',
  changed_tables: 'plain',
  changed_tables_floor: 'plain',
  // By these, a request finds its caller and account: PostgreSQL plans that once, Citus at each request.
  accounts: 'plain',
  users: 'plain',
  groups: 'plain',
  roles: 'plain',
  members: 'plain',
  member_endings: 'plain',
  sessions: 'plain',
  password_links: 'plain',
  integrations: 'plain',
  integration_icons: 'plain',
  installations: 'plain',
  installation_endings: 'plain',
  authorization_codes: 'plain',
  grants: 'plain',
  token_pairs: 'plain',
  token_faults: 'plain',
  consent_forms: 'plain',
  widgets: 'plain',
  widget_installations: 'plain',
  // These are found by a token that does not name the account.
  short_links: 'plain',
  surveys: 'plain',
  site_forms: 'plain',
  // Every push joins these with its account's conversations.
  channels: 'reference',
  channel_connections: 'reference',
  // Queues: a runner takes what is due of all accounts, and skips locked rows.
  webhook_announcements: 'plain',
  circuits: 'plain',
  delivery_bodies: 'plain',
  deliveries: 'plain',
  delivery_attempts: 'plain',
  jobs: 'plain',
  automation_runs: 'plain',
  retention_runs: 'plain',
  request_batches: 'plain',
  // The records of accounts.
  task_types: 'distributed',
  saved_views: 'distributed',
  audit_log: 'plain',
  sources: 'distributed',
  pipelines: 'distributed',
  statuses: 'distributed',
  loss_reasons: 'distributed',
  customer_statuses: 'distributed',
  catalogs: 'distributed',
  custom_fields: 'distributed',
  custom_field_groups: 'distributed',
  entities: 'distributed',
  search_words: 'distributed',
  tags: 'distributed',
  entity_tags: 'distributed',
  links: 'distributed',
  incoming_leads: 'distributed',
  field_values: 'distributed',
  field_keys: 'distributed',
  tag_erasures: 'distributed',
  value_erasures: 'distributed',
  transactions: 'distributed',
  tasks: 'distributed',
  notes: 'distributed',
  call_ids: 'distributed',
  events: 'distributed',
  event_keys: 'distributed',
  visitors: 'distributed',
  visits: 'distributed',
  audiences: 'distributed',
  audience_members: 'distributed',
  subscriptions: 'plain',
  segments: 'distributed',
  segment_members: 'distributed',
  call_notices: 'distributed',
  files: 'distributed',
  file_versions: 'distributed',
  file_parts: 'distributed',
  upload_sessions: 'distributed',
  file_usage: 'distributed',
  idempotency_keys: 'distributed',
  chat_senders: 'distributed',
  conversations: 'distributed',
  talks: 'distributed',
  chat_messages: 'distributed',
  chat_reactions: 'distributed',
  chat_bots: 'distributed',
  chat_intents: 'distributed',
  chat_templates: 'distributed',
  chat_template_reviews: 'distributed',
  webhooks: 'distributed',
  webhook_orders: 'distributed',
  webhook_listeners: 'distributed',
  job_rows: 'distributed',
  automation_rules: 'plain',
  retention_settings: 'plain',
}
