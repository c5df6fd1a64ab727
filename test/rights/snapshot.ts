import { sql } from 'kysely'
import type { Context } from '../../src/context.ts'

/** The tables that a refused write must not change. */
const tables = [
  'accounts',
  'users',
  'members',
  'groups',
  'roles',
  'audit_log',
  'sources',
  'entities',
  'field_values',
  'field_keys',
  'search_words',
  'tags',
  'entity_tags',
  'links',
  'custom_fields',
  'custom_field_groups',
  'pipelines',
  'statuses',
  'automation_rules',
  'automation_runs',
  'loss_reasons',
  'customer_statuses',
  'catalogs',
  'tasks',
  'transactions',
  'notes',
  'call_ids',
  'events',
  'event_keys',
  'audiences',
  'audience_members',
  'subscriptions',
  'segments',
  'segment_members',
  'short_links',
  'surveys',
  'visitors',
  'visits',
  'files',
  'file_versions',
  'file_usage',
  'channels',
  'channel_connections',
  'chat_senders',
  'conversations',
  'talks',
  'chat_messages',
  'chat_reactions',
  'chat_intents',
  'deliveries',
] as const

/** The rows of each table, as text. */
export type Snapshot = Record<string, string[]>

export async function snapshotOf({ db }: Context): Promise<Snapshot> {
  const read = tables.map(async (table) => {
    const { rows } = await sql`select * from ${sql.table(table)}`.execute(db)
    return [table, rows.map((row) => JSON.stringify(row)).toSorted()] as const
  })
  return Object.fromEntries(await Promise.all(read))
}

/** The rows that are in only one of two snapshots. */
export const changesBetween = (before: Snapshot, after: Snapshot): string[] =>
  tables.flatMap((table) => {
    const [was, is] = [new Set(before[table]), new Set(after[table])]
    const gone = [...was].filter((row) => !is.has(row)).map((row) => `-${table} ${row}`)
    return [...gone, ...[...is].filter((row) => !was.has(row)).map((row) => `+${table} ${row}`)]
  })
