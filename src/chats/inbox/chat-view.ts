import type { Context } from '../../context.ts'
import type { ChatSenderRow, ConversationRow } from '../../db/tables.ts'
import { type Access, can, findEntities, type StoredEntity } from '../../entities/entities.ts'
import { amountOf } from '../../entities/records/amount-types.ts'
import { self } from '../../http/hal.ts'
import { isStopped } from '../bot/bot.ts'
import { findSenders } from '../conversations/participant-queries.ts'
import { findMessages } from '../messages/message-queries.ts'
import type { ChatMessage } from '../messages/message-schemas.ts'
import { showMessages } from '../messages/message-view.ts'
import { findShownChannels } from './chat-list-queries.ts'
import type { Chat } from './chat-schemas.ts'

/** The origin of links. Neither part ends in a slash. */
export interface Place {
  origin: string
  /** The URL of the surface. */
  base: string
}

interface Related {
  base: string
  senders: ReadonlyMap<string, ChatSenderRow>
  channels: ReadonlyMap<string, Chat['channel']>
  access: Access
  /** Includes records in the trash. */
  leads: ReadonlyMap<number, StoredEntity>
  contacts: ReadonlyMap<number, StoredEntity>
  messages: ReadonlyMap<string, ChatMessage>
}

/** Chats as the API shows them, in the given order. Reads the related rows of a page at once. */
export async function showChats(
  ctx: Context,
  access: Access,
  rows: readonly ConversationRow[],
  { origin, base }: Place,
): Promise<Chat[]> {
  if (rows.length === 0) return []
  const { account_id } = access.actor
  const of = <T>(pick: (row: ConversationRow) => T | null) => [
    ...new Set(rows.map(pick).filter((value) => value !== null)),
  ]
  const [senders, channels, leads, contacts, last] = await Promise.all([
    findSenders(
      ctx.db,
      account_id,
      of((row) => row.sender_id),
    ),
    findShownChannels(
      ctx.db,
      account_id,
      of((row) => row.channel_id),
    ),
    findEntities(
      ctx.db,
      account_id,
      'leads',
      of((row) => row.lead_id),
    ),
    findEntities(
      ctx.db,
      account_id,
      'contacts',
      of((row) => row.contact_id),
    ),
    findMessages(
      ctx.db,
      account_id,
      of((row) => row.last_message_id),
    ),
  ])
  const messages = await showMessages(ctx, account_id, last, { origin })
  const byId = (records: StoredEntity[]) => new Map(records.map((record) => [record.id, record]))
  const around: Related = {
    base,
    access,
    senders,
    channels: new Map(channels.map((row) => [row.id, channelView(row)])),
    leads: byId(leads),
    contacts: byId(contacts),
    messages: new Map(messages.map((message) => [message.id, message])),
  }
  return rows.map((row) => view(row, around))
}

const gone = (id: string): Chat['channel'] => ({ id, name: '', state: 'deleted', has_actions: false })

type ShownChannel = Awaited<ReturnType<typeof findShownChannels>>[number]

function channelView(channel: ShownChannel): Chat['channel'] {
  const { id, name, hook_api_version } = channel
  return { id, name, state: stateOf(channel), has_actions: hook_api_version === 'v2' }
}

function stateOf({ state, is_deleted, connected_at }: ShownChannel): Chat['channel']['state'] {
  if (is_deleted === 1) return 'deleted'
  if (connected_at === null) return 'disconnected'
  return state === 'active' ? 'active' : 'stopped'
}

function view(row: ConversationRow, around: Related): Chat {
  const { access } = around
  const standing = (record: StoredEntity | undefined) => (record?.is_deleted === 0 ? record : undefined)
  const seen = (record: StoredEntity | undefined) =>
    record && can(access, 'view', record) ? record : undefined
  const ownLead = row.lead_id === null ? undefined : standing(around.leads.get(row.lead_id))
  const ownContact = around.contacts.get(row.contact_id)
  const [lead, contact] = [seen(ownLead), seen(standing(ownContact))]
  const owner = ownLead ?? ownContact
  return {
    id: row.id,
    account_id: row.account_id,
    talk_id: row.talk_id,
    channel: around.channels.get(row.channel_id) ?? gone(row.channel_id),
    conversation_id: row.external_id,
    sender: {
      ...senderView(around.senders.get(row.sender_id) as ChatSenderRow),
      // They are also in the contact, which may be hidden from a user who sees the lead.
      ...(!seen(ownContact) && { phone: null, email: null }),
    },
    can_write: owner !== undefined && can(access, 'edit', owner),
    contact_id: row.contact_id,
    lead_id: row.lead_id,
    is_in_work: row.is_in_work === 1,
    is_read: row.unread_count === 0,
    unread_count: row.unread_count,
    is_bot_stopped: isStopped(row),
    typing_until: row.typing_until,
    last_message: around.messages.get(row.last_message_id ?? '') ?? null,
    last_message_at: row.last_message_at,
    created_at: row.created_at,
    version: row.version,
    _links: self(`${around.base}/chats/${row.id}`),
    _embedded: {
      contact: contact ? { id: contact.id, name: contact.name } : null,
      lead: lead
        ? {
            id: lead.id,
            name: lead.name,
            status_id: lead.status_id ?? 0,
            pipeline_id: lead.pipeline_id ?? 0,
            price: lead.price ?? 0,
            price_with_minor_units: amountOf(lead, 'price'),
          }
        : null,
    },
  }
}

const senderView = (row: ChatSenderRow): Chat['sender'] => ({
  id: row.id,
  external_id: row.external_id,
  name: row.name,
  avatar: row.avatar,
  profile_link: row.profile_link,
  phone: row.phone,
  email: row.email,
})
