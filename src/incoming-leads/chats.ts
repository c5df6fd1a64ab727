import type { Context } from '../context.ts'
import type { Tx } from '../db/database.ts'
import type { EntityRow } from '../db/tables.ts'
import type { Cause } from '../events/events.ts'
import { enterIncoming, hashOf } from './add.ts'
import { findWaitingOf, updateIncoming } from './queries.ts'
import { announceIncoming } from './webhook-items.ts'

/** A chat whose lead waits in the incoming stage. */
export interface IncomingChat {
  chat_id: string
  channel: { id: string; name: string }
  /** The chat as the provider names it. */
  external_id: string
  client: { id: string; name: string; avatar: string | null }
  /** The message that opened the chat. */
  message: ChatText | undefined
}

/** A message as its incoming lead shows it. */
export interface ChatText {
  id: string
  text: string
}

/** Keeps a new chat as an incoming lead of the category chats. */
export async function enterChat(
  ctx: Context,
  tx: Tx,
  by: Cause,
  lead: EntityRow,
  { chat_id, channel, external_id, client, message }: IncomingChat,
): Promise<void> {
  const source_uid = `amojo:${channel.id}:${external_id}`
  const metadata = {
    from: client.name,
    to: channel.name,
    received_at: ctx.now(),
    service: channel.name,
    client,
    origin: { chat_id, ref: null, visitor_uid: null },
    ...lastMessage(message),
    source_name: channel.name,
  }
  await enterIncoming(ctx, tx, by, [
    {
      lead,
      category: 'chats',
      source_uid,
      source_name: channel.name,
      metadata,
      content_hash: hashOf([source_uid, lead.id]),
    },
  ])
}

/** The id is for webhooks; the API shows the text alone. */
const lastMessage = (message: ChatText | undefined) => ({
  last_message_id: message?.id ?? null,
  last_message_text: message?.text ?? null,
})

/** Shows the latest message of a chat at its incoming lead. */
export function takeChatMessage(
  ctx: Context,
  tx: Tx,
  by: Cause,
  lead_id: number,
  message: ChatText,
): Promise<void> {
  return showMessage(ctx, tx, by, lead_id, () => ({ received_at: ctx.now(), ...lastMessage(message) }))
}

/** Shows the new text of an edited message, if it is the latest one of a chat. */
export function editChatMessage(
  ctx: Context,
  tx: Tx,
  by: Cause,
  lead_id: number,
  { id, text }: ChatText,
): Promise<void> {
  return showMessage(ctx, tx, by, lead_id, ({ last_message_id }) =>
    last_message_id === id ? { last_message_text: text } : undefined,
  )
}

/** Changes what the incoming lead of a chat shows. */
async function showMessage(
  ctx: Context,
  tx: Tx,
  by: Cause,
  lead_id: number,
  changesOf: (metadata: Record<string, unknown>) => object | undefined,
): Promise<void> {
  const { account_id } = by
  const [row] = await findWaitingOf(tx, account_id, [lead_id])
  if (row?.category !== 'chats') return
  const before = JSON.parse(row.metadata)
  const changes = changesOf(before)
  if (!changes) return
  const metadata = JSON.stringify({ ...before, ...changes })
  await updateIncoming(tx, [{ account_id, uid: row.uid, metadata, updated_at: ctx.now() }])
  await announceIncoming(ctx, tx, by, 'update_unsorted', [{ ...row, metadata }])
}
