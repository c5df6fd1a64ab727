import type { ConversationRow } from '../../db/tables.ts'
import type { Destination } from '../scopes/destination-queries.ts'

/** Something that a person of the account does in a chat besides writing. */
export interface OwnAction {
  conversation: Pick<ConversationRow, 'id' | 'external_id'>
  destination: Pick<Destination, 'account'>
  /** The id of the person in the chat service. */
  amojo_id: string
  /** Unix seconds. */
  at: number
}

/** Only callbacks of v2 have actions. */
export const receivesActions = ({ connection }: Pick<Destination, 'connection'>): boolean =>
  connection.hook_api_version === 'v2'

/** The body of a callback about a person who is typing (docs/wire/chats.md#actions). */
export const typingBody = (own: OwnAction, expired_at: number): string =>
  bodyOf(own, { typing: { ...placeOf(own), expired_at } })

/** The body of a callback about a reaction. `msgid` is our id of the message. */
export const reactionBody = (
  own: OwnAction,
  { msgid, ...change }: { msgid: string; type: 'react' | 'unreact'; emoji: string },
): string => bodyOf(own, { reaction: { msgid, ...placeOf(own), ...change } })

const placeOf = ({ amojo_id, conversation: { id, external_id } }: OwnAction) => ({
  user: { id: amojo_id },
  conversation: { id, client_id: external_id },
})

const bodyOf = ({ destination, at }: OwnAction, action: object): string =>
  JSON.stringify({ account_id: destination.account.amojo_id, time: at, action })
