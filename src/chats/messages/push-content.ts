import { createHash } from 'node:crypto'
import type { ChatMessageRow } from '../../db/tables.ts'
import type { MessageDraft } from './append-message.ts'
import { type MessageType, messageKinds } from './message-kinds.ts'
import {
  type EditedContent,
  liveMessageMembers,
  livePayloadMembers,
  type NewMessage,
  type Push,
} from './push-schemas.ts'

const ownMembers = ['location', 'contact']
const liveOfMessage = Object.keys(liveMessageMembers)
const liveOfPayload = Object.keys(livePayloadMembers)

/** The columns of a pushed message. Members that its type does not have are dropped. */
export function contentOf(
  payload: NewMessage,
): Omit<MessageDraft, 'direction' | 'state' | 'sender_id' | 'body_hash'> {
  const { message } = payload
  const { type } = message
  const members: readonly string[] = messageKinds[type].holds
  const ifMember = <T>(name: string, value: T | null | undefined): T | null =>
    members.includes(name) ? (value ?? null) : null
  const content = {
    ...pickPresent(
      message,
      ownMembers.filter((name) => members.includes(name)),
    ),
    ...pickPresent(message, liveOfMessage),
    ...pickPresent(payload, liveOfPayload),
  }
  return {
    origin: 'channel',
    type,
    text: message.text ?? '',
    media: ifMember('media', message.media) || null,
    file_name: ifMember('file_name', message.file_name) || null,
    file_size: ifMember('file_size', message.file_size),
    content: JSON.stringify(content),
    external_id: payload.msgid,
    sent_at: payload.timestamp,
  }
}

/** The columns that the provider may edit. */
type Edited = Pick<ChatMessageRow, 'text' | 'media' | 'file_name' | 'file_size' | 'content'>

/** Members of `content` that describe a file. */
const ofFile = new Set(['media_duration', 'sticker_id'])

/** The columns that an edit changes. Members that its type does not have are dropped. */
export function changesOf(row: ChatMessageRow, edited: EditedContent): Partial<Edited> {
  const { delivery_status: _, ...written } = edited
  const { holds } = messageKinds[row.type as MessageType]
  // Clients send empty members for what they do not know.
  const live = Object.entries(pickPresent(written, liveOfMessage)).filter(([, value]) => Boolean(value))
  const given = { ...pickPresent(written, ['text', ...holds]), ...Object.fromEntries(live) }
  const { text, media, file_name, file_size, ...further } = given as Partial<Edited>
  const isOtherFile = media !== undefined && media !== row.media
  const members = Object.entries(JSON.parse(row.content) as object)
  const content = {
    ...Object.fromEntries(members.filter(([name]) => !isOtherFile || !ofFile.has(name))),
    ...further,
  }
  // The old name and the old size do not describe a new file.
  const kept = isOtherFile ? { file_name: null, file_size: null } : row
  const after: Edited = {
    text: text ?? row.text,
    media: media ?? row.media,
    file_name: (file_name ?? kept.file_name) || null,
    file_size: file_size ?? kept.file_size,
    content: JSON.stringify(content),
  }
  const names = Object.keys(after) as (keyof Edited)[]
  return Object.fromEntries(names.flatMap((name) => (after[name] === row[name] ? [] : [[name, after[name]]])))
}

/** These members, without null and undefined. */
const pickPresent = (of: Record<string, unknown>, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(names.flatMap((name) => (of[name] == null ? [] : [[name, of[name]]])))

/** Equal for payloads with the same members and values, in any order and notation. */
export const hashOf = (payload: Push['payload']): Buffer =>
  createHash('sha256')
    .update(JSON.stringify(inOrder(payload)))
    .digest()

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder)
  if (typeof value !== 'object' || value === null) return value
  // As pairs: an object would put members with numeric names first.
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return { members: members.map(([name, member]) => [name, inOrder(member)]) }
}
