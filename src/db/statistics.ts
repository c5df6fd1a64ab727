import { sql } from 'kysely'
import type { Tx } from './database.ts'
import { isPostgres } from './dialect.ts'

/**
 * Table statistics for SQLite's planner: the number of rows, then how many share the first column of the index, the
 * first two, and so on. SQLite does not collect them by itself, and its estimates for keys of many columns are far
 * off: it would scan all leads to find those of one person. These numbers describe one large account and are the
 * same in every database, so that a statement always has the same plan. PostgreSQL collects its own.
 */
// biome-ignore format: a table
const shapes: [table: string, index: string, rows: string][] = [
  ['entities', 'entities', '1000000 1000000 250000 1'],
  ['entities', 'entities_by_update', '1000000 1000000 250000 2 1'],
  ['entities', 'entities_by_creation', '1000000 1000000 250000 2 1'],
  ['entities', 'entities_by_responsible', '1000000 1000000 250000 5000 1'],
  ['entities', 'entities_by_responsible_update', '1000000 1000000 250000 5000 2 1'],
  ['entities', 'leads_by_stage_update', '500000 500000 100000 15000 2 1'],
  ['entities', 'entities_in_trash', '20000 20000 5000 2 1'],
  ['entities', 'entities_by_next_task', '200000 200000 100000 2 2 2 2 2'],
  ['entities', 'entities_by_status', '1000000 1000000 250000 100000 15000 1'],
  ['entities', 'entities_by_catalog', '100000 100000 20000 1'],
  ['entities', 'entities_by_integration', '300000 300000 75000 15000 1'],
  ['entities', 'entities_by_merge', '20000 20000 2'],
  ['entities', 'entities_by_name', '1000000 1000000 250000 3 1'],
  ['entities', 'entities_totals', '1000000 1000000 250000 240000 100000 15000 300 50 40 40 1'],
  ['entities', 'leads_by_price', '500000 500000 50 1'],
  ['entities', 'leads_by_closing', '500000 500000 3 1'],
  ['entities', 'customers_by_next_price', '100000 100000 50 1'],
  ['entities', 'customers_by_next_date', '100000 100000 10 1'],
  ['entities', 'elements_by_name', '100000 100000 20000 3 1'],
  ['entities', 'elements_by_creation', '100000 100000 20000 2 1'],
  ['entities', 'elements_by_update', '100000 100000 20000 2 1'],
  ['incoming_leads', 'incoming_leads', '50000 50000 1'],
  ['incoming_leads', 'sqlite_autoindex_incoming_leads_2', '50000 50000 1'],
  ['incoming_leads', 'incoming_leads_by_creation', '50000 50000 15000 2 1'],
  ['incoming_leads', 'incoming_leads_by_update', '500 500 2 1'],
  ['incoming_leads', 'incoming_leads_by_sorting', '50000 50000 2'],
  ['incoming_leads', 'incoming_leads_by_content', '500 500 1'],
  ['search_words', 'search_words', '5000000 5000000 1000000 50 1'],
  ['tags', 'tags', '1000 1000 250 1'],
  ['tags', 'tags_by_name', '1000 1000 250 1'],
  ['entity_tags', 'entity_tags', '500000 500000 2 1'],
  ['entity_tags', 'entity_tags_by_tag', '500000 500000 2000 1'],
  ['links', 'links', '2000000 2000000 3 1'],
  ['field_values', 'field_values', '1000000 1000000 1'],
  ['field_keys', 'field_keys', '5000000 5000000 500000 200 1'],
  ['transactions', 'transactions', '500000 500000 1'],
  ['transactions', 'transactions_by_customer', '500000 500000 10 1'],
  ['tasks', 'tasks', '500000 500000 1'],
  ['tasks', 'tasks_by_entity', '500000 500000 3 2 1'],
  ['tasks', 'tasks_by_responsible', '500000 500000 10000 5000 1'],
  ['tasks', 'tasks_by_update', '500000 500000 2 1'],
  ['tasks', 'tasks_by_creation', '500000 500000 2 1'],
  ['tasks', 'tasks_by_deadline', '500000 500000 2 1'],
  ['tasks', 'tasks_by_integration', '150000 150000 30000 1'],
  ['tasks', 'tasks_open', '200000 200000 2 1'],
  ['tasks', 'tasks_in_trash', '20000 20000 2 1'],
  ['notes', 'notes', '2000000 2000000 500000 1'],
  ['notes', 'notes_by_entity', '2000000 2000000 8 1'],
  ['notes', 'notes_by_update', '2000000 2000000 500000 2 1'],
  ['notes', 'notes_by_type', '2000000 2000000 500000 50000 1'],
  ['notes', 'notes_by_type_update', '2000000 2000000 500000 50000 2 1'],
  ['notes', 'notes_of_files', '100000 100000 2 1'],
  ['notes', 'notes_by_file', '200000 200000 1'],
  ['notes', 'notes_by_integration', '600000 600000 150000 30000 1'],
  ['notes', 'notes_pinned', '5000 5000 1250 2 1'],
  ['notes', 'notes_in_trash', '50000 50000 2 1'],
  ['call_ids', 'call_ids', '500000 500000 1'],
  ['events', 'events', '10000000 10000000 1'],
  ['events', 'events_by_creator', '10000000 10000000 500000 1'],
  ['events', 'events_by_type', '10000000 10000000 200000 1'],
  ['events', 'events_by_kind', '10000000 10000000 2000000 1'],
  ['events', 'events_by_entity', '10000000 10000000 2000000 10 1'],
  ['events', 'events_by_integration', '3000000 3000000 300000 1 1'],
  ['events', 'events_by_card', '4000000 4000000 10 1'],
  ['events', 'events_by_talk', '1000000 1000000 50000 1'],
  ['events', 'events_by_field', '3000000 3000000 30000 1'],
  ['event_keys', 'event_keys', '10000000 10000000 1000 1'],
  ['files', 'files', '200000 200000 1'],
  ['files', 'files_by_id', '200000 200000 100000 1'],
  ['files', 'files_by_creation', '200000 200000 100000 2 1'],
  ['files', 'files_by_update', '200000 200000 100000 2 1'],
  ['files', 'files_by_size', '200000 200000 100000 2 1'],
  ['files', 'files_by_deletion', '20000 2'],
  ['file_versions', 'file_versions', '250000 250000 2 1'],
  ['file_parts', 'file_parts', '2000000 2000000 8 1'],
  ['upload_sessions', 'upload_sessions', '50000 50000 1'],
  ['upload_sessions', 'upload_sessions_by_token', '50000 50000 1'],
  ['upload_sessions', 'upload_sessions_of_caller', '100 100 20 2'],
  ['upload_sessions', 'upload_sessions_by_end', '50000 2'],
  ['chat_senders', 'chat_senders', '200000 200000 1'],
  ['chat_senders', 'chat_senders_by_external_id', '200000 200000 50000 1'],
  ['conversations', 'conversations', '200000 200000 1'],
  ['conversations', 'conversations_by_external_id', '200000 200000 50000 1'],
  ['conversations', 'conversations_by_activity', '200000 200000 2 1'],
  ['conversations', 'conversations_unread', '2000 2000 2 1'],
  ['conversations', 'conversations_by_channel', '200000 200000 50000 2 1'],
  ['conversations', 'conversations_by_contact', '200000 200000 2'],
  ['conversations', 'conversations_by_lead', '200000 200000 2'],
  ['conversations', 'conversations_by_change', '200000 200000 2'],
  ['talks', 'talks', '400000 400000 1'],
  ['talks', 'talks_by_contact', '400000 400000 2'],
  ['talks', 'talks_by_lead', '300000 300000 2'],
  ['talks', 'talks_open', '20000 20000 1'],
  ['talks', 'talks_by_conversation', '400000 400000 2 1'],
  ['chat_messages', 'chat_messages', '5000000 5000000 1'],
  ['chat_messages', 'chat_messages_by_position', '5000000 5000000 25 1'],
  ['chat_messages', 'chat_messages_by_external_id', '5000000 5000000 1000000 1'],
  ['chat_messages', 'chat_messages_by_file', '200000 200000 2'],
  ['chat_reactions', 'chat_reactions', '100000 100000 2 1'],
  ['retention_runs', 'retention_runs', '10000 1'],
  ['retention_runs', 'retention_runs_due', '10000 2'],
  ['job_rows', 'job_rows', '2000000 2000000 50000 1'],
  ['job_rows', 'job_rows_by_outcome', '2000000 2000000 50000 200 1'],
  ['job_rows', 'job_rows_with_warning', '2000 2000 200 1'],
  ['automation_rules', 'automation_rules', '2500 2500 1'],
  ['automation_rules', 'automation_rules_by_stage', '2500 2500 10 5'],
  ['automation_runs', 'automation_runs', '1000000 1000000 1'],
  ['automation_runs', 'automation_runs_due', '50000 5 1 1'],
  ['automation_runs', 'automation_runs_waiting', '50000 50000 2 1 1'],
  ['automation_runs', 'automation_runs_for_rule', '50000 50000 1000'],
  ['automation_runs', 'automation_runs_of_rule', '1000000 1000000 20000 1'],
  ['automation_runs', 'automation_runs_of_lead', '1000000 1000000 5 1'],
  ['automation_runs', 'automation_runs_of_pipeline', '1000000 1000000 100000 1'],
  ['automation_runs', 'automation_runs_ended', '950000 3'],
]

/** Writes the statistics for SQLite's planner, unless they are written; called when a program starts. */
export async function writeStatistics(tx: Tx): Promise<void> {
  if (isPostgres(tx) || (await areWritten(tx))) return
  // The statistics table exists after the first ANALYZE.
  await sql`analyze settings`.execute(tx)
  await sql`delete from sqlite_stat1`.execute(tx)
  for (const [table, index, rows] of shapes)
    await sql`insert into sqlite_stat1 (tbl, idx, stat) values (${table}, ${index}, ${rows})`.execute(tx)
  await sql`analyze sqlite_schema`.execute(tx)
}

async function areWritten(tx: Tx): Promise<boolean> {
  const { rows: tables } = await sql`select 1 from sqlite_schema where name = 'sqlite_stat1'`.execute(tx)
  if (tables.length === 0) return false
  const { rows } = await sql<Record<'tbl' | 'idx' | 'stat', string>>`select * from sqlite_stat1`.execute(tx)
  const written = new Set(rows.map(({ tbl, idx, stat }) => [tbl, idx, stat].join()))
  return rows.length === shapes.length && shapes.every((shape) => written.has(shape.join()))
}
