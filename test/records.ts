import type { Context } from '../src/context.ts'
import { eventTypeOf } from '../src/events/event-types.ts'
import type { Client } from './client.ts'

/** Where a caller finds the records: a session below `/web`, a token below `/api`. */
export const surfaceOf = ({ identity }: Client): string => (identity.token ? '/api/v4' : '/web/v4')

/** Adds one record by the API, and answers its id; throws when it is refused. */
export async function add(caller: Client, type: string, draft: object = {}): Promise<number> {
  const [id] = await addAll(caller, type, [draft])
  return id as number
}

/** Adds records of one kind in one batch. */
export async function addAll(caller: Client, type: string, drafts: object[]): Promise<number[]> {
  const answer = await caller.post(`${surfaceOf(caller)}/${type}`, drafts)
  if (answer.status >= 300) throw new Error(`not added: ${answer.text}`)
  const collection = type.split('/').at(-1) as string
  return answer.body._embedded[collection].map(({ id }: { id: number }) => id)
}

/** An event as it is stored, without what every event has alike. */
export interface StoredEvent {
  type: string
  entity: [type: string, id: number]
  by: number
  before: unknown[]
  after: unknown[]
}

/** The account's log in its order; `of` only what was recorded of one record. */
export async function log(
  ctx: Context,
  of: { entity_id?: number; account_id?: number } = {},
): Promise<StoredEvent[]> {
  let rows = ctx.db.selectFrom('events').selectAll().orderBy('id')
  if (of.entity_id !== undefined) rows = rows.where('entity_id', '=', of.entity_id)
  if (of.account_id !== undefined) rows = rows.where('account_id', '=', of.account_id)
  return (await rows.execute()).map((row) => ({
    type: eventTypeOf(row.type) as string,
    entity: [row.entity_type, row.entity_id],
    by: row.created_by,
    before: JSON.parse(row.value_before),
    after: JSON.parse(row.value_after),
  }))
}

/** How many rows each table of records holds: a refusal leaves all of them as they were. */
export async function traces(ctx: Context): Promise<Record<string, number>> {
  const counted = [
    'entities',
    'field_values',
    'field_keys',
    'search_words',
    'tags',
    'entity_tags',
    'links',
    'tasks',
    'notes',
    'call_ids',
    'events',
    'transactions',
    'custom_fields',
    'pipelines',
    'statuses',
  ] as const
  const counts = counted.map(async (table) => {
    const { rows } = await ctx.db
      .selectFrom(table)
      .select((eb) => eb.fn.countAll<number>().as('rows'))
      .executeTakeFirstOrThrow()
    return [table, Number(rows)] as const
  })
  return Object.fromEntries(await Promise.all(counts))
}
