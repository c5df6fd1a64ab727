import { createHash, createHmac } from 'node:crypto'
import type { NewChannel } from '../src/chats/channels/channel-schemas.ts'
import { type Answer, client } from './client.ts'
import type { Person, World } from './world.ts'

/** A channel as its provider knows it. */
export interface RegisteredChannel {
  id: string
  secret: string
  callback_url: string
}

export interface ChannelDraft extends Partial<NewChannel> {
  /** An administrator of the developer account; by default that of the world. */
  by?: Person
}

/** Registers a channel in an administrator's browser. */
export async function channelOf(world: World, draft: ChannelDraft = {}): Promise<RegisteredChannel> {
  const { by = world.admin, ...given } = draft
  const callback_url = given.callback_url ?? 'http://127.0.0.1:3100/callback'
  const answer = await by.browser.post('/web/channels', { name: 'Messenger', ...given, callback_url })
  if (answer.status !== 201) throw new Error(`not registered: ${answer.text}`)
  return { id: answer.body.keys.channel_id, secret: answer.body.keys.secret, callback_url }
}

/** The specification's signature of the exact body. */
export const signatureOf = (secret: string, body: string | Buffer): string =>
  createHmac('sha1', secret).update(body).digest('hex')

/** The headers of the older signature, over the body only. */
export const signed = (secret: string, body: string | Buffer): Record<string, string> => ({
  'content-type': 'application/json',
  'x-signature': signatureOf(secret, body),
})

/**
 * The headers of the newer signature scheme, as clients of the live service send them (docs/wire/chats.md#signature).
 */
export function signedAnew(
  secret: string,
  {
    method,
    path,
    body = '',
    date,
    type = 'application/json',
  }: { method: string; path: string; body?: string; date: Date; type?: string },
): Record<string, string> {
  const digest = createHash('md5').update(body).digest('hex')
  const at = date.toUTCString()
  const lines = [method.toUpperCase(), digest, type, at, path.split('?', 1)[0]].join('\n')
  return {
    date: at,
    'content-type': type,
    'content-md5': digest,
    'x-signature': createHmac('sha1', secret).update(lines).digest('hex'),
  }
}

export const CHATS = '/v2/origin/custom'

/** A provider's server, which signs its requests with the secret. Requests without a body use the newer signature. */
export interface Provider {
  /** Calls below `/v2/origin/custom`. The body is an object or an exact text. */
  call(method: string, path: string, body?: unknown): Promise<Answer>
}

export function provider(world: World, { secret }: { secret: string }): Provider {
  return {
    call: (method, path, body) => {
      const url = `${CHATS}${path}`
      const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body)
      const date = new Date(world.ctx.clock())
      const headers = text ? signed(secret, text) : signedAnew(secret, { method, path: url, date })
      return send(world, method, url, text || undefined, headers)
    },
  }
}

/** Sends these exact headers and bytes to the chat surface, without a cookie. */
export function send(
  world: World,
  method: string,
  url: string,
  body: string | undefined,
  headers: Record<string, string | undefined>,
): Promise<Answer> {
  const { host } = world.stranger.identity
  const bare = client(world.app.http, { host })
  return bare.send(method, url, body, { 'sec-fetch-site': undefined, ...headers })
}

export interface Connected extends Provider {
  channel: RegisteredChannel
  scope_id: string
  /** Sends a message as specified: `POST /:scope_id` with `new_message`. */
  push(payload: object): Promise<Answer>
}

/** A channel that is connected to the world's account or the account of `to`, and its provider. */
export async function connected(
  world: World,
  draft: ChannelDraft & { to?: { amojo_id: string } } = {},
): Promise<Connected> {
  const { to = draft.by?.account ?? world.account, ...rest } = draft
  const channel = await channelOf(world, rest)
  const here = provider(world, channel)
  const answer = await here.call('POST', `/${channel.id}/connect`, { account_id: to.amojo_id })
  if (answer.status !== 200) throw new Error(`not connected: ${answer.text}`)
  const { scope_id } = answer.body
  return {
    ...here,
    channel,
    scope_id,
    push: (payload) => here.call('POST', `/${scope_id}`, { event_type: 'new_message', payload }),
  }
}
