import { sql } from 'kysely'
import type { Tx } from '../database.ts'
import { insertMissingRows } from '../row-sets.ts'
import type { Migration } from './migration.ts'

/** Indexes for the filters of the log, each in the order of ids, which is that of time. */
export const eventIndexes: Migration = {
  name: '003-event-indexes',
  counted: [],
  statements: [
    `create index events_by_creator on events (account_id, created_by, id)`,
    `create index events_by_type on events (account_id, type, id)`,
    `create index events_by_kind on events (account_id, entity_type, id)`,
    `create index events_by_entity on events (account_id, entity_type, entity_id, id)`,
    `create index events_by_field on events (account_id, field_id, id) where field_id is not null`,

    // Keys for filters on values: one row for each value of an event before and after.
    `create table event_keys (
      account_id bigint not null, key text collate "C" not null, event_id text collate "C" not null,
      primary key (account_id, key, event_id))`,
  ],
  fill,
}

const PAGE = 1_000

/** Creates the keys of existing events, in the form of the time of this migration. */
async function fill(tx: Tx): Promise<void> {
  for (let after = { account_id: 0, id: '' }; ; ) {
    const rows = await tx
      .selectFrom('events')
      .select(['account_id', 'id', 'type', 'value_after', 'value_before'])
      .where(sql<boolean>`(account_id, id) > (${after.account_id}, ${after.id})`)
      .orderBy('account_id')
      .orderBy('id')
      .limit(PAGE)
      .execute()
    const keys = rows.flatMap(({ account_id, id, type, value_after, value_before }) =>
      Object.entries({ after: value_after, before: value_before }).flatMap(([side, text]) =>
        (JSON.parse(text) as Change[])
          .flatMap((change) => valuesOf(type, change))
          .map((value) => ({ account_id, key: `${type} ${side} ${value}`, event_id: id })),
      ),
    )
    await insertMissingRows(tx, 'event_keys', keys)
    const last = rows.at(-1)
    if (!last) return
    after = last
  }
}

// biome-ignore lint/suspicious/noExplicitAny: the changes of all types, as they are stored.
type Change = any

const exact = (value: unknown): string[] => (String(value).length <= 64 ? [`=${value}`] : [])

/** By the platform's number of the type. */
const kinds: Record<number, (change: Change) => string[]> = {
  14: ({ lead_status }) => [`${lead_status.pipeline_id}.${lead_status.id}`],
  57: ({ customer_status }) => [String(customer_status.id)],
  25: ({ responsible_user }) => [String(responsible_user.id)],
  91: ({ nps }) => exact(nps.rate),
  69: ({ sale_field_value }) => exact(sale_field_value.sale),
  70: ({ name_field_value }) => exact(name_field_value.name),
  88: ({ ltv_field_value }) => exact(ltv_field_value.ltv),
  24: ({ custom_field_value: { field_id, enum_id, text } }) => [
    ...exact(text),
    ...(enum_id === null ? [] : [`${field_id}#${enum_id}`]),
  ],
}

const valuesOf = (type: number, change: Change): string[] => kinds[type]?.(change) ?? []
