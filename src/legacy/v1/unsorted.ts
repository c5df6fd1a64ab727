import { type Static, Type } from 'typebox'
import type { Actor } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import { summarizeIncoming } from '../../incoming-leads/incoming-leads.ts'
import { IncomingLead } from '../../incoming-leads/schemas.ts'
import { listRecords } from '../list-records.ts'
import type { Item } from '../members.ts'
import { findWaiting, type IncomingLeadsQuery, infoOf } from '../v2/incoming-views.ts'

const Records = Type.Optional(Type.Array(Type.Unsafe<object>({ type: 'object', additionalProperties: true })))

/** An incoming lead as the first API has it (docs/wire/legacy.md#unsorted). */
export const LegacyIncomingLead = Type.Object(
  {
    uid: Type.String({ description: 'The id of the incoming lead: sixty hexadecimal digits.' }),
    source: Type.String({ description: 'The name of the source.' }),
    source_uid: Type.Union([Type.String(), Type.Null()]),
    category: IncomingLead.properties.category,
    source_data: Type.Unsafe<object>({
      type: 'object',
      description: 'The members of the category.',
      additionalProperties: true,
    }),
    date_create: Type.Integer(),
    pipeline_id: Type.Integer(),
    data: Type.Object(
      { leads: Records, contacts: Records, companies: Records },
      { description: 'The records, in the form of the lists of this API.' },
    ),
  },
  { title: 'LegacyIncomingLead' },
)

/** A page of the waiting incoming leads that the person sees, with their records, newest first. */
export async function listUnsorted(
  ctx: Context,
  actor: Actor,
  asked: IncomingLeadsQuery,
): Promise<Static<typeof LegacyIncomingLead>[]> {
  const found = await findWaiting(ctx, actor, asked, (kind, query) =>
    listRecords(ctx, actor, kind, query, undefined),
  )
  return found.map(({ incoming, records }) => ({
    uid: incoming.uid,
    source: incoming.source_name,
    source_uid: incoming.source_uid,
    category: incoming.category,
    source_data: sourceDataOf(infoOf(incoming)),
    date_create: incoming.created_at,
    pipeline_id: incoming.pipeline_id,
    data: records,
  }))
}

/** The names that differ from those of the second API. */
function sourceDataOf({ service_code, form_page, form_send_at, ip, referer, ...others }: Item): object {
  return {
    ...others,
    ...(service_code !== undefined && { service: service_code }),
    ...(form_send_at !== undefined && {
      ...{ from: form_page, date: form_send_at },
      origin: { ip, referer },
    }),
  }
}

/** An incoming lead of the first API with the names of the second one. */
export function secondFormOf(category: 'sip' | 'forms', item: Item): Item {
  const { source, date_create, source_data, data, ...others } = item
  const { origin, from, service, ...info } = Object(source_data)
  const { ip, referer } = Object(origin)
  return {
    ...others,
    source_name: source,
    created_at: date_create,
    incoming_lead_info: {
      ...info,
      ...(category === 'forms' ? { form_page: from, ip, referer } : { from, service_code: service }),
    },
    incoming_entities: data,
  }
}

const Count = Type.Integer({ description: 'Of all times.' })

/** Numbers of incoming leads, by category and as a whole. */
export const LegacySummary = {
  category: Type.Object({
    sip: Count,
    mail: Count,
    forms: Count,
    chats: Count,
  }),
  total: Count,
  accepted: Count,
  declined: Count,
  avg_time: Type.Integer({ description: 'Seconds from arrival to acceptance or decline, on average.' }),
}

/** Counts incoming leads of all times. */
export async function summarizeUnsorted(ctx: Context, actor: Actor) {
  const counted = await summarizeIncoming(ctx, actor, {})
  const { sip, mail, forms, chats } = counted.categories
  return {
    category: { sip: sip.total, mail: mail.total, forms: forms.total, chats: chats.total },
    total: counted.total,
    accepted: counted.accepted,
    declined: counted.declined,
    avg_time: counted.average_sort_time,
  }
}
