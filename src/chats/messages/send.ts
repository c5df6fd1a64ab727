import { chatNames } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import type { Tx } from '../../db/database.ts'
import { writeTogether } from '../../db/row-sets.ts'
import type { ChatMessageRow, ConversationRow } from '../../db/tables.ts'
import { lastingLinks, type StoredFile } from '../../drive/drive.ts'
import { Refusal } from '../../errors.ts'
import type { Cause } from '../../events/events.ts'
import { enqueueDeliveries } from '../../outbound/deliveries.ts'
import { callbackUrlOf, scopeIdOf } from '../channels/connections.ts'
import { circuitOf } from '../channels/pending-messages.ts'
import { botIdOf } from '../scopes/bot-id.ts'
import { type Destination, findDestination } from '../scopes/destination-queries.ts'
import { callbackBody, type SentMessage } from './callback-body.ts'
import { findMessages, lockHomes, updateConversations, updateMessages } from './message-queries.ts'
import { addMessage, changeConversation, newMessageId } from './messages.ts'

/** The kind of the deliveries of messages; their subject is the message. */
export const CHAT_MESSAGE = 'chat_message'

/** Why a message was not delivered; of what the provider said of it there is an `error_code`. */
export type MessageFailure =
  | 'exhausted'
  | 'refused'
  | 'gone'
  | 'stopped'
  | 'disconnected'
  | 'bad_url'
  | 'forbidden_address'

export interface OutgoingDraft {
  text: string
  /** A picture of a kind that every program shows is sent as one. */
  file?: StoredFile
  origin: 'person' | 'bot'
}

/**
 * Writes a message in a conversation that the caller has locked, and queues its delivery, in one transaction (C7); the
 * caller rings `ctx.queued` after the commit. Where the channel takes nothing a person is refused with `channel_closed`;
 * what the bot would have said is kept as failed, for who pushed is not to be refused for it.
 */
export async function sendMessage(
  ctx: Context,
  tx: Tx,
  by: Cause,
  conversation: ConversationRow,
  { text, file, origin }: OutgoingDraft,
): Promise<ChatMessageRow> {
  const destination = await findDestination(tx, conversation)
  const closed = closedBy(destination)
  if (closed && origin === 'person') throw channelClosed()
  const draft = {
    id: newMessageId(ctx),
    direction: 'out',
    origin,
    text,
    state: 'pending',
    sent_at: ctx.now(),
    ...fileMembers(ctx, conversation.account_id, file),
  }
  if (closed || !destination) {
    const message = await addMessage(ctx, tx, by, conversation, { ...draft, state: 'failed' })
    return changeMessage(tx, message, { error: closed })
  }
  const delivery_id = await queueMessage(ctx, tx, by, conversation, draft, destination)
  return addMessage(ctx, tx, by, conversation, { ...draft, delivery_id })
}

/** Queues the delivery of a message, and answers its id. The body is made here, once: every try sends the same bytes. */
export async function queueMessage(
  ctx: Context,
  tx: Tx,
  by: Cause,
  conversation: ConversationRow,
  message: SentMessage & Pick<ChatMessageRow, 'origin'>,
  destination: Destination,
): Promise<number> {
  const { account_id, channel_id } = conversation
  const { channel, account } = destination
  const author = await authorOf(tx, destination, message.origin, by.user_id)
  const draft = {
    account_id,
    kind: CHAT_MESSAGE,
    subject: message.id,
    ordering_key: `chat ${conversation.id}`,
    circuit: circuitOf(channel_id),
    method: 'POST' as const,
    url: callbackUrlOf(channel, scopeIdOf(channel_id, account.amojo_id)),
    // The description's body has no id: by this one the provider says what became of the message (C9).
    headers: { 'content-type': 'application/json', 'x-message-id': message.id },
    body: callbackBody({ message, conversation, destination, author }),
    request_id: by.request_id,
  }
  const [id] = await enqueueDeliveries(tx, [draft], ctx.now())
  return id as number
}

/** Ends messages whose deliveries were cancelled: those that are still pending have failed, for this reason. */
export const failMessages = (ctx: Context, tx: Tx, failed: SentBy[], reason: MessageFailure): Promise<void> =>
  endMessages(ctx, tx, failed, { state: 'failed', error: reason })

interface SentBy {
  account_id: number
  message_id: string
}

/** Ends those that are still pending: what the provider has said of one meanwhile (C9) is more than that it took it. */
export async function endMessages(
  ctx: Context,
  tx: Tx,
  ended: SentBy[],
  change: Pick<ChatMessageRow, 'state' | 'error'>,
): Promise<void> {
  const accounts = Map.groupBy(ended, (one) => one.account_id)
  for (const [account_id, own] of [...accounts].sort(([a], [b]) => a - b)) {
    const ids = own.map(({ message_id }) => message_id)
    const conversations = await lockHomes(tx, account_id, ids)
    // Read when they are locked: what became of them before stays.
    const pending = (await findMessages(tx, account_id, ids)).filter(({ state }) => state === 'pending')
    const touched = new Set(pending.map(({ conversation_id }) => conversation_id))
    await writeTogether(tx, async () => {
      await updateMessages(
        tx,
        pending.map(({ id }) => ({ account_id, id, ...change })),
      )
      await updateConversations(
        tx,
        conversations
          .filter(({ id }) => touched.has(id))
          .map(({ id, version }) => ({ account_id, id, version: version + 1, changed_at: ctx.now() })),
      )
    })
  }
}

/** Announces the conversation of a message that waits for another try: whoever has it open sees how often it was tried. */
export async function announceRetry(ctx: Context, tx: Tx, { account_id, message_id }: SentBy): Promise<void> {
  for (const conversation of await lockHomes(tx, account_id, [message_id]))
    await changeConversation(ctx, tx, conversation, {})
}

/** Why nothing can be sent there; null where it can. */
export function closedBy(destination: Destination | null): MessageFailure | null {
  if (!destination) return 'disconnected'
  const { is_deleted, state } = destination.channel
  return is_deleted === 1 || state !== 'active' ? 'stopped' : null
}

export const channelClosed = (): Refusal =>
  new Refusal('conflict', 'The channel of this chat is stopped or not connected: nothing can be sent.', {
    code: 'channel_closed',
  })

/** Changes a message of a conversation that the caller has locked. */
export async function changeMessage(
  tx: Tx,
  message: ChatMessageRow,
  changes: Partial<ChatMessageRow>,
): Promise<ChatMessageRow> {
  const { account_id, id } = message
  await updateMessages(tx, [{ ...changes, account_id, id }])
  return { ...message, ...changes }
}

const PICTURES = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp'])

const NO_FILE = {
  type: 'text',
  media: null,
  thumbnail: null,
  file_name: null,
  file_size: null,
  file_uuid: null,
}

function fileMembers(ctx: Context, account_id: number, file: StoredFile | undefined) {
  if (!file) return NO_FILE
  const { media, thumbnail } = lastingLinks(ctx, account_id, file)
  // What has previews was found to be one, whatever it is called.
  const isPicture = file.previews > 0 || PICTURES.has(file.mime_type)
  return {
    type: isPicture ? 'picture' : 'file',
    media,
    // A picture always has one: of one without previews it is the picture itself.
    thumbnail: isPicture ? (thumbnail ?? media) : null,
    file_name: file.name,
    file_size: file.size,
    file_uuid: file.uuid,
  }
}

/** Who wrote it, as the chat service knows people; only the later form of callbacks tells. */
async function authorOf(tx: Tx, { channel, connection }: Destination, origin: string, user_id: number) {
  if (origin === 'bot') return { id: botIdOf(channel.id), name: 'Bot' }
  const names = connection.hook_api_version === 'v2' ? await chatNames(tx, [user_id]) : null
  const person = names?.get(user_id)
  return { id: person?.amojo_id ?? '', name: person?.name ?? '' }
}
