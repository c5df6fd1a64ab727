import type { ChannelRow } from '../../db/tables.ts'
import { Refusal } from '../../errors.ts'
import { isUuid } from './channel-queries.ts'

/** The id of a channel in an account, in URLs and callbacks. */
export const scopeIdOf = (channel_id: string, amojo_id: string): string => `${channel_id}_${amojo_id}`

/** The two parts of a scope id; undefined if the text is not one. */
export function readScopeId(scope_id: string): { channel_id: string; amojo_id: string } | undefined {
  const [channel_id = '', amojo_id = '', ...more] = scope_id.split('_')
  return isUuid(channel_id) && isUuid(amojo_id) && more.length === 0 ? { channel_id, amojo_id } : undefined
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
