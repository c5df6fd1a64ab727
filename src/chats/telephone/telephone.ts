import { randomUUID } from 'node:crypto'
import { type Actor, selectAccount } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import type { ChannelRow, ChatMessageRow, ConversationRow } from '../../db/tables.ts'
import { findFiles, lastingLinks } from '../../drive/drive.ts'
import { invalid, noSuch, Refusal } from '../../errors.ts'
import { ownChannel } from '../channels/own-channels.ts'
import { findConversations } from '../conversations/conversation-queries.ts'
import { findMessage } from '../messages/message-queries.ts'
import { presentSecret } from '../scopes/channel-secrets.ts'
import { scopeIdOf } from '../scopes/scopes.ts'
import { bodySignature } from '../scopes/signature.ts'
import type {
  CustomerMessage,
  CustomerReaction,
  CustomerStatus,
  CustomerTyping,
} from './telephone-schemas.ts'
import { TELEPHONE } from './telephone-types.ts'

/** A signed request to the chat API, as a provider sends it. */
export interface ProviderRequest {
  url: string
  headers: Record<string, string>
  body: string
}

/** Sends a request to this server's own chat API and returns the status and the parsed answer. */
export type SendToChatApi = (request: ProviderRequest) => Promise<{ status: number; body: unknown }>

/**
 * Plays the customers of a channel: each action is a request to the chat API, signed with the secret of the channel, as its
 * provider would send it (Q22). Only administrators of the channel's own account, and only in conversations of the
 * telephone.
 */
export interface Telephone {
  write(draft: CustomerMessage): Promise<{ chat_id: string; message_id: string }>
  report(status: CustomerStatus): Promise<void>
  type(typing: CustomerTyping): Promise<void>
  react(reaction: CustomerReaction): Promise<void>
}

/** Opens the telephone of a channel. Throws Refusal('not_found') for a channel of another account. */
export async function openTelephone(
  ctx: Context,
  actor: Actor,
  channel_id: string,
  send: SendToChatApi,
): Promise<Telephone> {
  const channel = await ownChannel(ctx, actor, channel_id)
  const account = await selectAccount(ctx.db).where('id', '=', actor.account_id).executeTakeFirstOrThrow()
  const scope = `/v2/origin/custom/${scopeIdOf(channel.id, account.amojo_id)}`
  const call = async (path: string, value: object): Promise<unknown> => {
    const body = JSON.stringify(value)
    const headers = {
      'content-type': 'application/json',
      'x-signature': bodySignature(presentSecret(ctx, channel), body),
    }
    const answer = await send({ url: scope + path, headers, body })
    if (answer.status >= 300) throw refusalOf(answer)
    return answer.body
  }
  return {
    async write(draft) {
      const payload = await payloadOf(ctx, actor, channel, draft)
      const answer = (await call('', { event_type: 'new_message', payload })) as {
        new_message: { conversation_id: string; msgid: string }
      }
      return { chat_id: answer.new_message.conversation_id, message_id: answer.new_message.msgid }
    },
    async report({ message_id, state, error = 'The telephone reported a failure.' }) {
      const { id } = (await ownMessage(ctx, actor, channel, message_id)).message
      const failed = { error_code: 905, error }
      await call(`/${id}/delivery_status`, {
        msgid: id,
        delivery_status: codes[state],
        ...(state === 'failed' && failed),
      })
    },
    async type({ key, duration_ms = 5_000 }) {
      const id = TELEPHONE + key
      await call('/typing', { conversation_id: id, sender: { id }, duration_ms })
    },
    async react({ message_id, emoji }) {
      const { message, conversation } = await ownMessage(ctx, actor, channel, message_id)
      await call('/react', {
        conversation_id: conversation.external_id,
        id: message.id,
        user: { id: conversation.external_id },
        ...(emoji === null ? { type: 'unreact' } : { type: 'react', emoji }),
      })
    },
  }
}

const codes = { delivered: 1, read: 2, failed: -1 }

/** A message in a conversation of the telephone. Conversations of real customers do not exist for it. */
async function ownMessage(
  ctx: Context,
  { account_id }: Actor,
  channel: ChannelRow,
  id: string,
): Promise<{ message: ChatMessageRow; conversation: ConversationRow & { external_id: string } }> {
  const message = await findMessage(ctx.db, account_id, id.toLowerCase())
  const [conversation] = message ? await findConversations(ctx.db, account_id, [message.conversation_id]) : []
  const external_id = conversation?.external_id
  if (
    !message ||
    !conversation ||
    conversation.channel_id !== channel.id ||
    !external_id?.startsWith(TELEPHONE)
  )
    throw new Refusal('not_found', 'The telephones of this channel have no such message.')
  return { message, conversation: { ...conversation, external_id } }
}

async function payloadOf(ctx: Context, actor: Actor, { protocol }: ChannelRow, draft: CustomerMessage) {
  const { key, name, phone } = draft.customer
  const id = TELEPHONE + key
  const avatar = new URL('/favicon.svg', ctx.config.public_url).href
  const number = phone === undefined ? undefined : Number(phone.replace('+', ''))
  return {
    timestamp: ctx.now(),
    ...(protocol === 'live' && { msec_timestamp: ctx.clock() }),
    msgid: TELEPHONE + randomUUID(),
    conversation_id: id,
    sender: { id, name, avatar, ...(number && { profile: { phone: number } }) },
    message: await contentOf(ctx, actor, draft),
  }
}

/** One of a text, a file, a location and a contact. */
async function contentOf(ctx: Context, { account_id }: Actor, draft: CustomerMessage): Promise<object> {
  const { text = '', file_uuid, location, contact } = draft
  const kinds = [file_uuid, location, contact].filter((one) => one !== undefined)
  if (kinds.length > 1)
    throw invalid('text', 'TooMany', 'A message has one of file_uuid, location and contact.')
  if (location) return { type: 'location', location }
  if (contact) return { type: 'contact', contact }
  if (file_uuid === undefined) {
    if (text.trim() === '') throw invalid('text', 'NotBlank', 'This value should not be blank.')
    return { type: 'text', text }
  }
  const uuid = file_uuid.toLowerCase()
  const file = (await findFiles(ctx.db, account_id, [uuid])).get(uuid)
  if (!file) throw invalid('file_uuid', 'NotSupportedChoice', noSuch('file'))
  const { media } = lastingLinks(ctx, account_id, file)
  const type = file.mime_type.startsWith('image/') ? 'picture' : 'file'
  return { type, media, file_name: file.name, file_size: file.size, ...(text !== '' && { text }) }
}

/** The chat API's refusal of a request that the telephone has sent. */
function refusalOf({ status, body }: { status: number; body: unknown }): Refusal {
  const { error_description = `The chat API answered ${status}.`, errors = [] } = Object(body)
  const faults = (errors as { path: string; detail: string }[]).slice(0, 5)
  const details = faults.map(({ path, detail }) => ` ${path}: ${detail}`).join('')
  if (status === 429) return new Refusal('too_many', String(error_description), { retry_after: 1 })
  return new Refusal('unprocessable', `${error_description}${details}`)
}
