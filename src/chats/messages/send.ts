import { chatNames } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import type { Tx } from '../../db/database.ts'
import type { ChatMessageRow, ConversationRow } from '../../db/tables.ts'
import { lastingLinks, type StoredFile } from '../../drive/drive.ts'
import { Refusal } from '../../errors.ts'
import type { Cause } from '../../events/events.ts'
import { enqueueDeliveries } from '../../outbound/deliveries.ts'
import { type Destination, findDestination } from '../scopes/destination-queries.ts'
import { botIdOf, callbackUrlOf, circuitOf, scopeIdOf } from '../scopes/scopes.ts'
import type { SentTemplate } from '../templates/sent-templates.ts'
import { appendMessage, newMessageId } from './append-message.ts'
import { callbackBody, type SentMessage } from './callback-body.ts'
import type { MessageFailure } from './delivery-results.ts'
import { updateMessages } from './message-queries.ts'

/** The kind of the deliveries of messages. Their subject is the id of the message. */
export const CHAT_MESSAGE = 'chat_message'

/** The kinds of messages with a file that the account sends. */
export const fileKinds = ['picture', 'file'] as const
export type FileKind = (typeof fileKinds)[number]

export interface OutgoingDraft {
  text: string
  file?: StoredFile
  /** By default, a file of a common image type is sent as a picture, and any other as a file. */
  sent_as?: FileKind | undefined
  /** The template that the text was made from. */
  template?: SentTemplate | undefined
  origin: 'person' | 'bot'
}

/**
 * Writes a message in a locked conversation and queues its delivery, in one transaction (C7). The caller rings
 * `ctx.queued` after the commit. If the channel is closed, a user gets a `channel_closed` conflict; the answer of the
 * bot is stored as failed, because the push that caused it must not fail.
 */
export async function sendMessage(
  ctx: Context,
  tx: Tx,
  by: Cause,
  conversation: ConversationRow,
  { text, file, sent_as, template, origin }: OutgoingDraft,
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
    ...(template && { content: JSON.stringify({ template }) }),
    ...fileMembers(ctx, conversation.account_id, file, sent_as),
  }
  if (closed || !destination) {
    const message = await appendMessage(ctx, tx, by, conversation, { ...draft, state: 'failed' })
    return changeMessage(tx, message, { error: closed })
  }
  const delivery_id = await queueMessage(ctx, tx, by, conversation, draft, destination)
  return appendMessage(ctx, tx, by, conversation, { ...draft, delivery_id })
}

/** Queues the delivery of a message and returns its id. The body is built once: every attempt sends the same bytes. */
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
    // The specified body has no id. The provider reports the status of the message under this one (C9).
    headers: { ...CALLBACK_HEADERS, 'x-message-id': message.id },
    body: callbackBody({ message, conversation, destination, author }),
    request_id: by.request_id,
    trace_context: ctx.traces.of(by.request_id),
  }
  const [id] = await enqueueDeliveries(tx, [draft], ctx.now())
  return id as number
}

/** Why nothing can be sent; null if the channel is open. */
export function closedBy(destination: Destination | null): MessageFailure | null {
  if (!destination) return 'disconnected'
  const { is_deleted, state } = destination.channel
  return is_deleted === 1 || state !== 'active' ? 'stopped' : null
}

/** Receivers of the live service refuse requests of another agent (docs/wire/chats.md#callbacks). */
export const CALLBACK_HEADERS = { 'content-type': 'application/json', 'user-agent': 'amoCRM amoJo/1.0' }

export const channelClosed = (): Refusal =>
  new Refusal('conflict', 'The channel of this chat is stopped or not connected: nothing can be sent.', {
    code: 'channel_closed',
  })

/** Changes a message in a locked conversation. */
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

/** A file with previews is an image, regardless of its declared type. */
const isPicture = ({ previews, mime_type }: StoredFile): boolean => previews > 0 || PICTURES.has(mime_type)

function fileMembers(
  ctx: Context,
  account_id: number,
  file: StoredFile | undefined,
  sent_as: FileKind | undefined,
) {
  if (!file) return NO_FILE
  const { media, thumbnail } = lastingLinks(ctx, account_id, file)
  const type = sent_as ?? (isPicture(file) ? 'picture' : 'file')
  return {
    type,
    media,
    // Every picture has a thumbnail: without previews it is the picture itself.
    thumbnail: type === 'picture' ? (thumbnail ?? media) : null,
    file_name: file.name,
    file_size: file.size,
    file_uuid: file.uuid,
  }
}

/** The author as the chat service names people. Only the v2 form of callbacks has the user. */
async function authorOf(tx: Tx, { channel, connection }: Destination, origin: string, user_id: number) {
  if (origin === 'bot') return { id: botIdOf(channel.id), name: 'Bot' }
  const names = connection.hook_api_version === 'v2' ? await chatNames(tx, [user_id]) : null
  const person = names?.get(user_id)
  return { id: person?.amojo_id ?? '', name: person?.name ?? '' }
}
