import type { ChannelRow } from '../../db/tables.ts'
import { Refusal } from '../../errors.ts'
import { sha256 } from '../../secrets.ts'
import { isUuid } from './channel-queries.ts'

/** The id of a channel in an account, in URLs and callbacks. */
export const scopeIdOf = (channel_id: string, amojo_id: string): string => `${channel_id}_${amojo_id}`

/** The two parts of a scope id; undefined if the text is not one. */
export function readScopeId(scope_id: string): { channel_id: string; amojo_id: string } | undefined {
  const [channel_id = '', amojo_id = '', ...more] = scope_id.split('_')
  return isUuid(channel_id) && isUuid(amojo_id) && more.length === 0 ? { channel_id, amojo_id } : undefined
}

/**
 * The id of a channel's bot: a UUID derived from the channel's id, so that it never changes and needs no column.
 * The provider names the bot with it as the sender of an automated message (`sender.ref_id`).
 */
export function botIdOf(channel_id: string): string {
  const hex = sha256(`bot of channel ${channel_id}`).toString('hex')
  // RFC 9562, 5.8: version 8 leaves the bits to the implementation.
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** The URL that receives the messages of a scope. */
export const callbackUrlOf = (channel: Pick<ChannelRow, 'callback_url'>, scope_id: string): string =>
  channel.callback_url.replaceAll(':scope_id', scope_id)

/** The circuit breaker that all callbacks of a channel share. */
export const circuitOf = (channel_id: string): string => `channel:${channel_id}`

/** The live service answers this for every unknown channel. */
export const notRegistered = () => new Refusal('not_found', 'NOT_FOUND', { code: 'origin_not_registered' })

/** Only a request with a valid signature learns this (C2). */
export const notConnected = () =>
  new Refusal('not_found', 'This channel is not connected to this account, connect it first.', {
    code: 'account_not_connected',
  })
