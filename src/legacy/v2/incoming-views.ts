import { type Static, Type } from 'typebox'
import type { Actor } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import { listOf, partsOf, type QueryValue, textOf } from '../../http/queries/bracket-query.ts'
import { listIncoming, summarizeIncoming } from '../../incoming-leads/incoming-leads.ts'
import type { IncomingLead } from '../../incoming-leads/schemas.ts'
import { type LegacyQuery, MAX_ROWS } from '../list-parameters.ts'
import { Links, linksTo } from './bodies.ts'
import { findV2Records } from './find-records.ts'

const Records = Type.Optional(Type.Array(Type.Unsafe<object>({ type: 'object', additionalProperties: true })))

/** An incoming lead as the second API has it. */
export const V2IncomingLead = Type.Object(
  {
    uid: Type.String({ description: 'The id of the incoming lead: sixty hexadecimal digits.' }),
    source_uid: Type.Union([Type.String(), Type.Null()]),
    source_name: Type.String(),
    category: Type.Enum(['sip', 'mail', 'form', 'chat']),
    created_at: Type.Integer(),
    pipeline_id: Type.Integer(),
    incoming_lead_info: Type.Unsafe<object>({
      type: 'object',
      description: 'The members of the category.',
      additionalProperties: true,
    }),
    incoming_entities: Type.Object(
      { leads: Records, contacts: Records, companies: Records },
      { description: 'The records, in the form of the lists of this API.' },
    ),
    _links: Links,
  },
  { title: 'V2IncomingLead' },
)
type V2IncomingLead = Static<typeof V2IncomingLead>

/** Clients say how long a page is, and where it begins, in two ways. */
export const IncomingLeadsQuery = Type.Object({
  page_size: Type.Optional(
    Type.Integer({ minimum: 1, maximum: MAX_ROWS, description: 'The most items of a page.' }),
  ),
  page: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'Counted from 1; 0 is 1.' }),
  ),
  PAGEN_1: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'As `page`.' })),
  limit_rows: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_ROWS, description: 'As `page_size`.' })),
  limit_offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
  uid: Type.Optional(Type.Unknown({ description: 'A uid, or several.' })),
  categories: Type.Optional(
    Type.Unknown({ description: '`sip`, `mail`, `forms`, `chats`, one or several.' }),
  ),
  order_by: Type.Optional(Type.Unknown({ description: '`order_by[created_at]=asc` or `desc`.' })),
  pipeline_id: Type.Optional(Type.Unknown({ description: 'A pipeline.' })),
})
export type IncomingLeadsQuery = Partial<
  Record<'page_size' | 'page' | 'PAGEN_1' | 'limit_rows' | 'limit_offset', number> &
    Record<'uid' | 'categories' | 'order_by' | 'pipeline_id', QueryValue>
>

/** The second API has the names of two categories in the singular. */
const singular: Record<string, V2IncomingLead['category']> = { forms: 'form', chats: 'chat' }
const plural = new Map(Object.entries(singular).map(([many, one]): [string, string] => [one, many]))

/** Reads records by their ids. */
export type ReadRecords = (
  kind: 'leads' | 'contacts' | 'companies',
  asked: LegacyQuery,
) => Promise<readonly object[]>

/** A page of the waiting incoming leads that the person sees, with their records, newest first. */
export async function findWaiting(
  ctx: Context,
  actor: Actor,
  asked: IncomingLeadsQuery,
  read: ReadRecords,
): Promise<{ incoming: IncomingLead; records: V2IncomingLead['incoming_entities'] }[]> {
  const limit = asked.page_size ?? asked.limit_rows ?? MAX_ROWS
  const page = Math.max(1, asked.page ?? asked.PAGEN_1 ?? 1)
  const offset = asked.limit_offset ?? (page - 1) * limit
  const query = {
    filter: {
      uid: listOf(asked.uid),
      category: listOf(asked.categories).map((name) => plural.get(name) ?? name),
      pipeline_id: listOf(asked.pipeline_id),
    },
    ...(asked.order_by !== undefined && { order: orderIn(asked.order_by) }),
  }
  const { unsorted } = await listIncoming(ctx, actor, query, {
    page: { page: 1, limit, offset },
    after: null,
    base: '',
  })
  const recordsOf = await recordsIn(unsorted, read)
  return unsorted.map((incoming) => ({ incoming, records: recordsOf(incoming) }))
}

/** Incoming leads in the form of the second API. */
export async function listV2Incoming(
  ctx: Context,
  actor: Actor,
  asked: IncomingLeadsQuery,
): Promise<V2IncomingLead[]> {
  const read: ReadRecords = (kind, query) => findV2Records(ctx, actor, kind, query, undefined)
  return (await findWaiting(ctx, actor, asked, read)).map(({ incoming, records }) => ({
    uid: incoming.uid,
    source_uid: incoming.source_uid,
    source_name: incoming.source_name,
    category: singular[incoming.category] ?? (incoming.category as 'sip' | 'mail'),
    created_at: incoming.created_at,
    pipeline_id: incoming.pipeline_id,
    incoming_lead_info: infoOf(incoming),
    incoming_entities: records,
    _links: linksTo(`incoming_leads?uid=${incoming.uid}`),
  }))
}

/** A direction alone is that of the creation. */
const orderIn = (order: QueryValue): QueryValue =>
  typeof order === 'string' ? { created_at: order } : partsOf(order)

/** The metadata of an incoming lead by the names of the older APIs. */
export function infoOf({ category, metadata }: IncomingLead): Record<string, unknown> {
  const { called_at, phone, from, call_responsible, form_sent_at, received_at, ...others } = metadata
  if (category === 'sip') return { ...others, from: phone ?? from, to: call_responsible, date: called_at }
  if (category === 'forms') return { ...others, form_send_at: form_sent_at }
  return { ...others, from, date: received_at, name: others.client?.name }
}

/** The most ids that one filter accepts. */
const AT_ONCE = 250

/** The records of incoming leads, as `read` shows them. */
async function recordsIn(incoming: readonly IncomingLead[], read: ReadRecords) {
  const kinds = ['leads', 'contacts', 'companies'] as const
  const found = new Map<number, object>()
  for (const kind of kinds) {
    const ids = incoming.flatMap(({ _embedded }) => _embedded[kind].map(({ id }) => String(id)))
    for (let i = 0; i < ids.length; i += AT_ONCE) {
      const records = await read(kind, {
        id: ids.slice(i, i + AT_ONCE),
        limit_rows: AT_ONCE,
        limit_offset: 0,
      })
      for (const record of records as readonly { id: number }[]) found.set(record.id, record)
    }
  }
  return ({ _embedded }: IncomingLead) =>
    Object.fromEntries(kinds.map((kind) => [kind, _embedded[kind].flatMap(({ id }) => found.get(id) ?? [])]))
}

const Count = Type.Integer({ description: 'In the time of the filter.' })

/** Numbers of incoming leads, by the names of the second API. */
export const V2Summary = Type.Object(
  {
    sip: Count,
    mail: Count,
    form: Count,
    chat: Count,
    total: Count,
    avg_time: Type.Integer({ description: 'Seconds from arrival to acceptance or decline, on average.' }),
    accepted: Count,
    _links: Links,
  },
  { title: 'V2IncomingLeadSummary' },
)

/** Counts incoming leads in the time `data[filter][date]`. */
export async function summarizeV2Incoming(
  ctx: Context,
  actor: Actor,
  data: QueryValue | undefined,
): Promise<Static<typeof V2Summary>> {
  const { from, to } = partsOf(partsOf(partsOf(data).filter).date)
  const created_at = { from: textOf(from), to: textOf(to) }
  const { categories, ...counted } = await summarizeIncoming(ctx, actor, { filter: { created_at } })
  return {
    sip: categories.sip.total,
    mail: categories.mail.total,
    form: categories.forms.total,
    chat: categories.chats.total,
    total: counted.total,
    avg_time: counted.average_sort_time,
    accepted: counted.accepted,
    _links: linksTo('incoming_leads/summary'),
  }
}
