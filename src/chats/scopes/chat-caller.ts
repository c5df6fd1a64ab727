import type { ChannelConnectionRow, ChannelRow } from '../../db/tables.ts'
import type { Cause } from '../../events/events.ts'

/** Who calls the chat surface: a channel, whose secret signed the request, for an account that is connected to it. */
export interface ChatCaller {
  channel: ChannelRow
  account: { id: number; amojo_id: string; subdomain: string }
  connection: ChannelConnectionRow
  scope_id: string
  /** Nobody of the account. */
  cause: Cause
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The body as it came; empty where there was none. Set by the chat surface. */
    rawBody: Buffer
    /** Whose secret signed the request; set by the chat surface after that was proved. */
    channel: ChannelRow
    /** The same below a scope, with its account. */
    chat: ChatCaller
  }
}
