import { createHash } from 'node:crypto'
import { type Actor, selectAccount } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import { invalid, Refusal } from '../../errors.ts'
import { parseJson } from '../../http/bodies/json-body.ts'
import { signingSecret } from '../scopes/channel-secrets.ts'
import { connectedAccounts } from '../scopes/connection-queries.ts'
import { scopeIdOf } from '../scopes/scopes.ts'
import { bodySignature, signedText } from '../scopes/signature.ts'
import type { UnsignedCall } from './channel-schemas.ts'
import { auditChannel, changeOwn } from './own-channels.ts'

const CHAT_API = '/v2/origin/custom/'

/**
 * The headers with which a call of the chat API is one of the channel's provider, for the API reference: the secret
 * stays on the server (Q40). Only for the connection of the channel with the actor's own account. A call without a body
 * gets the newer recipe, whose date is valid for 15 minutes. The signature of a body is valid at every address of the
 * channel. So if other accounts are connected, the password must have been entered, as for the secret itself.
 */
export function signCall(
  ctx: Context,
  actor: Actor,
  id: string,
  call: UnsignedCall,
  isConfirmed: boolean,
): Promise<Record<string, string>> {
  return changeOwn(ctx, actor, id, async (tx, channel) => {
    const { amojo_id } = await selectAccount(tx).where('id', '=', actor.account_id).executeTakeFirstOrThrow()
    const place = placeIn(call.path)
    const named = accountIn(call.body)
    const isOfChannel = place === id
    if (!isOfChannel && place !== scopeIdOf(id, amojo_id)) throw elsewhere(call.path, false)
    if (named === undefined ? isOfChannel : named !== amojo_id) throw elsewhere(call.path, true)
    const accounts = call.body === '' || isConfirmed ? [] : await connectedAccounts(tx, id)
    if (accounts.some((account_id) => account_id !== actor.account_id)) throw validElsewhere()
    await auditChannel(ctx, tx, actor, channel, 'channel.call_signed')
    return signatureOf(call, signingSecret(ctx, channel), ctx.clock())
  })
}

/** The scope or the channel in the path of a call. */
const placeIn = (path: string): string | undefined =>
  path.startsWith(CHAT_API) ? path.slice(CHAT_API.length).split('/', 1)[0] : undefined

// Without the code at which the application asks for the password: the reference cannot ask.
const validElsewhere = () =>
  new Refusal(
    'forbidden',
    'The signature of a body is valid for every account of the channel, and others are connected. Show the keys of the ' +
      'channel in the settings, which asks for your password, and repeat the call within 15 minutes.',
  )

/** The account that a body names, as one that connects a channel or disconnects it; undefined for none. */
function accountIn(body: string): unknown {
  try {
    return (parseJson(Buffer.from(body)) as { account_id?: unknown } | null)?.account_id
  } catch {
    return undefined
  }
}

const elsewhere = (path: string, isOfChannel: boolean) =>
  isOfChannel
    ? invalid(
        'body.account_id',
        'NotSupportedChoice',
        'The call has to name the amojo_id of your own account.',
      )
    : invalid(
        'path',
        'NotSupportedChoice',
        `${path.slice(0, 200)} is not a path of the chat API with the scope of this channel in your own account.`,
      )

function signatureOf(
  { method, path, body }: UnsignedCall,
  secret: string,
  now: number,
): Record<string, string> {
  if (body !== '') return { 'X-Signature': bodySignature(secret, body) }
  const headers = {
    date: new Date(now).toUTCString(),
    'content-md5': createHash('md5').update('').digest('hex'),
    'content-type': 'application/json',
  }
  const text = signedText({ method, path, headers, body: Buffer.alloc(0) }, now) as string
  return {
    Date: headers.date,
    'Content-MD5': headers['content-md5'],
    'Content-Type': headers['content-type'],
    'X-Signature': bodySignature(secret, text),
  }
}
