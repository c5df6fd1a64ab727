import type { Context } from '../src/context.ts'
import { eventTypeOf } from '../src/events/event-types.ts'
import type { Client } from './client.ts'

/** The address of records: for a session below `/web`, for a token below `/api`. */
export const surfaceOf = ({ identity }: Client): string => (identity.token ? '/api/v4' : '/web/v4')

/** Adds a record by the API and returns its id. Throws if it is refused. */
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

/** A stored event, without the members that all events share. */
export interface StoredEvent {
  type: string
  entity: [type: string, id: number]
  by: number
  before: unknown[]
  after: unknown[]
}

/** The account's log in order; `of` restricts it to one record. */
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

/** The number of rows in each table of records. A refusal must not change it. */
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
