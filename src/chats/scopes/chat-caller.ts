import type { ChannelConnectionRow, ChannelRow } from '../../db/tables.ts'
import type { Cause } from '../../events/events.ts'

/** The authenticated caller of a scope: a channel and a connected account. */
export interface ChatCaller {
  channel: ChannelRow
  account: { id: number; amojo_id: string; subdomain: string }
  connection: ChannelConnectionRow
  scope_id: string
  /** User 0: the provider is no user of the account. */
  cause: Cause
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The raw body, empty if there is none. Set by the chat surface. */
    rawBody: Buffer
    /** The channel that signed the request. Set by the chat surface. */
    channel: ChannelRow
    /** The same for a scope, with its account. */
    chat: ChatCaller
  }
}
