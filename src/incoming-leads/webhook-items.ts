import type { Context } from '../context.ts'
import type { Db, Tx } from '../db/database.ts'
import type { EntityRow, IncomingLeadRow } from '../db/tables.ts'
import { findEntities } from '../entities/entities.ts'
import type { Cause } from '../events/events.ts'
import {
  announce,
  type Change,
  type FormObject,
  findSubscriptions,
  type Sample,
} from '../webhooks/webhooks.ts'
import { latestIncoming } from './queries.ts'

type Code = 'add_unsorted' | 'update_unsorted' | 'delete_unsorted'

/** How an incoming lead ended, and the records that remain. */
export interface Ending {
  action: 'accept' | 'decline'
  leads: readonly number[]
  contacts: readonly number[]
}

/** Announces incoming leads, in the transaction of the change. */
export async function announceIncoming(
  ctx: Context,
  tx: Tx,
  by: Cause,
  code: Code,
  rows: readonly IncomingLeadRow[],
  endings: (row: IncomingLeadRow, lead: EntityRow | undefined) => Ending | null = () => null,
): Promise<void> {
  const subscriptions = rows.length === 0 ? null : await findSubscriptions(tx, by.account_id)
  if (!subscriptions?.has(code)) return
  const ids = rows.map(({ lead_id }) => lead_id)
  const leads = new Map((await findEntities(tx, by.account_id, 'leads', ids)).map((lead) => [lead.id, lead]))
  const changes = rows.map((row): Change => {
    const lead = leads.get(row.lead_id)
    const ending = endings(row, lead)
    const item = ending ? endedItem(row, by.user_id, ending) : itemOf(row, lead)
    return { codes: [code], record: `unsorted ${row.uid}`, item }
  })
  await announce(ctx, tx, by, subscriptions, changes)
}

/** The item that a change of the latest waiting incoming lead would announce. */
export const sampleIncomingLead: Sample = async (db: Db, account_id, code) => {
  const row = await latestIncoming(db, account_id)
  if (!row) return null
  if (code === 'delete_unsorted')
    return endedItem(row, 0, { action: 'accept', leads: [row.lead_id], contacts: [] })
  return itemOf(row, (await findEntities(db, account_id, 'leads', [row.lead_id]))[0])
}

/** Members in the platform's order (docs/wire/incoming-leads.md#webhooks). */
const itemOf = (row: IncomingLeadRow, lead: EntityRow | undefined): FormObject => ({
  uid: row.uid,
  source: row.source_name,
  source_uid: row.source_uid,
  category: row.category,
  source_data: sourceData[row.category]?.(JSON.parse(row.metadata), row) ?? {},
  date_create: row.created_at,
  data: {
    leads: lead
      ? [
          {
            id: lead.id,
            status_id: lead.status_id,
            pipeline_id: lead.pipeline_id,
            name: lead.name,
            created_user_id: lead.created_by,
            date_create: lead.created_at,
          },
        ]
      : [],
  },
  pipeline_id: row.pipeline_id,
  account_id: row.account_id,
  source_id: lead?.source_id,
  lead_id: row.lead_id,
  created_at: row.created_at,
})

// biome-ignore lint/suspicious/noExplicitAny: metadata as they were stored, with the members of their category
type Metadata = any

const sourceData: Record<string, (metadata: Metadata, row: IncomingLeadRow) => FormObject> = {
  sip: (call) => ({
    from: call.from,
    phone: call.phone,
    date: call.called_at,
    duration: call.duration,
    link: call.link,
    service_code: call.service_code,
    uniq: call.uniq,
  }),
  forms: (form) => ({
    form_id: form.form_id,
    form_type: form.form_type,
    form_name: form.form_name,
    from: form.form_page,
    date: form.form_sent_at,
    origin: {
      ip: form.ip,
      datetime: form.form_sent_at,
      referer: form.referer,
      visitor_uid: form.visitor_uid,
    },
  }),
  chats: (chat, { source_uid, source_name }) => ({
    from: chat.from,
    name: chat.client?.name,
    to: chat.to,
    date: chat.received_at,
    service: chat.service,
    client: { name: chat.client?.name, id: chat.client?.id ?? chat.from, picture: chat.client?.avatar },
    origin: { provider: 'amojo', chat_id: chat.origin?.chat_id },
    data: [
      {
        id: chat.last_message_id ?? chat.origin?.chat_id,
        manager: 0,
        date: chat.received_at,
        text: chat.last_message_text,
      },
    ],
    source_uid,
    source_name,
  }),
}

const endedItem = (
  { uid, category, created_at, account_id }: IncomingLeadRow,
  modified_user_id: number,
  { action, leads, contacts }: Ending,
): FormObject => ({
  action,
  uid,
  category,
  account_id,
  created_at,
  modified_user_id,
  ...(action === 'accept'
    ? { accept_result: { leads: [...leads], contacts: [...contacts] } }
    : { decline_result: { leads: [...leads] } }),
})
