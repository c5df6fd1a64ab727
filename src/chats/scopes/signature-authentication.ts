import type { Context } from '../../context.ts'
import type { ChannelRow } from '../../db/tables.ts'
import { Refusal } from '../../errors.ts'
import { findChannel, markSecretUsed } from './channel-queries.ts'
import { presentSecret, previousSecret } from './channel-secrets.ts'
import type { ChatCaller } from './chat-caller.ts'
import { findScope } from './connection-queries.ts'
import { notConnected, notRegistered, readScopeId } from './scopes.ts'
import { isSignedWith, type SignedRequest, signedText } from './signature.ts'

/** A request to the chat surface before anybody has read its body. */
export interface Unproved extends SignedRequest {
  request_id: string
  address: string
}

/**
 * The channel that an address names, whose secret signed the request. The order is what a stranger learns: whether there
 * is such a channel, as the live service tells (an id cannot be guessed), and nothing that lies behind its signature.
 */
export async function proveChannel(ctx: Context, channel_id: string, request: Unproved): Promise<ChannelRow> {
  const channel = await findChannel(ctx.db, channel_id)
  if (!channel) throw refused(ctx, request, notRegistered())
  await prove(ctx, channel, request)
  return channel
}

/** The same of a scope, whose account has to be connected. */
export async function proveScope(ctx: Context, scope_id: string, request: Unproved): Promise<ChatCaller> {
  const named = readScopeId(scope_id)
  const scope = named && (await findScope(ctx.db, named))
  if (!scope) throw refused(ctx, request, notRegistered())
  const { channel, connected } = scope
  await prove(ctx, channel, request)
  if (!connected) throw notConnected()
  const cause = { account_id: connected.account.id, user_id: 0, request_id: request.request_id }
  return { channel, ...connected, scope_id, cause }
}

/** Throws unless the request is signed with a secret of the channel that is good now (C2). */
async function prove(ctx: Context, channel: ChannelRow, request: Unproved): Promise<void> {
  const signature = request.headers['x-signature']
  const text = signedText(request, ctx.clock())
  const isSigned = (secret: string | null): boolean =>
    secret !== null && text !== null && typeof signature === 'string' && isSignedWith(secret, signature, text)
  const isPresent = isSigned(presentSecret(ctx, channel))
  if (!isPresent && !isSigned(previousSecret(ctx, channel)))
    throw refused(
      ctx,
      request,
      new Refusal('forbidden', 'invalid signature', { code: 'origin_invalid_signature' }),
    )
  ctx.limits.take('push', channel.id)
  if (isPresent && channel.is_secret_used === 0)
    await ctx.db.transaction().execute((tx) => markSecretUsed(tx, channel))
}

/** A stranger's refusal; one who tries too often is told so instead. */
function refused(ctx: Context, { address }: Unproved, refusal: Refusal): Refusal {
  ctx.limits.take('stranger', address)
  return refusal
}
