import type { Db } from '../../db/database.ts'
import type { ConversationRow, TalkRow } from '../../db/tables.ts'
import { type Access, can, findEntities } from '../../entities/entities.ts'
import { self } from '../../http/hal.ts'
import { integrationsOf } from '../scopes/channel-queries.ts'
import type { SourcesOfChats } from '../scopes/sources.ts'
import { findConversations } from './conversation-queries.ts'
import type { Talk } from './talk-schemas.ts'

type LinkedRecords = Talk['_embedded']['leads']

/** Talks of chats that the user may see, in the given order. `base` is the URL of the surface. */
export async function showTalks(
  db: Db,
  access: Access,
  sources: SourcesOfChats,
  rows: readonly TalkRow[],
  base: string,
): Promise<Talk[]> {
  const { account_id } = access.actor
  const [conversations, contacts, leads] = await Promise.all([
    findConversations(db, account_id, [...new Set(rows.map((row) => row.conversation_id))]),
    linked(
      db,
      access,
      'contacts',
      rows.map((row) => row.contact_id),
      base,
    ),
    linked(
      db,
      access,
      'leads',
      rows.flatMap((row) => row.lead_id ?? []),
      base,
    ),
  ])
  const byId = new Map(conversations.map((row) => [row.id, row]))
  const sourceOf = await sourceIds(db, account_id, sources, conversations)
  return rows.map((talk) => {
    const conversation = byId.get(talk.conversation_id) as ConversationRow
    const around = { contacts: contacts(talk.contact_id), leads: leads(talk.lead_id) }
    return { ...view(talk, conversation, around, base), source_id: sourceOf.get(conversation.id) ?? null }
  })
}

function view(
  talk: TalkRow,
  conversation: ConversationRow,
  { contacts, leads }: { contacts: LinkedRecords; leads: LinkedRecords },
  base: string,
): Talk {
  const isLast = conversation.talk_id === talk.id
  const [lead] = leads
  return {
    talk_id: talk.id,
    created_at: talk.created_at,
    updated_at: isLast ? Math.max(talk.updated_at, conversation.last_message_at) : talk.updated_at,
    rate: 0,
    contact_id: talk.contact_id,
    chat_id: talk.conversation_id,
    entity_id: lead?.id ?? null,
    entity_type: lead ? 'lead' : null,
    is_in_work: talk.closed_at === null,
    is_read: !isLast || conversation.unread_count === 0,
    origin: conversation.channel_id,
    missed_at: null,
    account_id: talk.account_id,
    status: talk.closed_at === null ? 'in_work' : 'closed',
    source_id: null,
    _links: self(`${base}/talks/${talk.id}`),
    _embedded: { contacts, leads, customers: [] },
  }
}

/** The live records that the user may see, as they are embedded; empty for others. */
async function linked(
  db: Db,
  access: Access,
  type: 'contacts' | 'leads',
  ids: readonly number[],
  base: string,
): Promise<(id: number | null) => LinkedRecords> {
  const rows = await findEntities(db, access.actor.account_id, type, [...new Set(ids)])
  const seen = new Set(
    rows.filter((row) => row.is_deleted === 0 && can(access, 'view', row)).map(({ id }) => id),
  )
  return (id) => (id !== null && seen.has(id) ? [{ id, _links: self(`${base}/${type}/${id}`) }] : [])
}

/** The ids of the sources that providers named, by conversation. They are sources of the channel's integration. */
async function sourceIds(
  db: Db,
  account_id: number,
  { findSourceIds }: SourcesOfChats,
  conversations: readonly ConversationRow[],
): Promise<Map<string, number | null>> {
  const naming = conversations.filter((row) => row.source_external_id !== null)
  if (naming.length === 0) return new Map()
  const integrations = await integrationsOf(db, [...new Set(naming.map((row) => row.channel_id))])
  const named = naming.flatMap(({ id, channel_id, source_external_id }) => {
    const integration_id = integrations.get(channel_id)
    return integration_id ? [{ id, integration_id, external_id: source_external_id as string }] : []
  })
  const ids = await findSourceIds(db, account_id, named)
  return new Map(named.map(({ id }, i) => [id, ids[i] ?? null]))
}
