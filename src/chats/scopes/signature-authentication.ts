import type { Context } from '../../context.ts'
import type { ChannelRow } from '../../db/tables.ts'
import { Refusal } from '../../errors.ts'
import { findChannel, markSecretUsed } from './channel-queries.ts'
import { presentSecret, previousSecret } from './channel-secrets.ts'
import type { ChatCaller } from './chat-caller.ts'
import { findScope } from './connection-queries.ts'
import { notConnected, notRegistered, readScopeId } from './scopes.ts'
import { isSignedWith, type SignedRequest, signedText } from './signature.ts'

/** A request to the chat surface before its body is parsed. */
export interface UnverifiedRequest extends SignedRequest {
  request_id: string
  address: string
}

/**
 * The channel in the URL, if its secret signed the request. An unsigned request learns only whether the channel
 * exists, as in the live service; ids cannot be guessed.
 */
export async function authenticateChannel(
  ctx: Context,
  channel_id: string,
  request: UnverifiedRequest,
): Promise<ChannelRow> {
  const channel = await findChannel(ctx.db, channel_id)
  if (!channel) throw await refusalOf(ctx, request, notRegistered())
  await requireSignature(ctx, channel, request)
  return channel
}

/** The same for a scope, whose account has to be connected. */
export async function authenticateScope(
  ctx: Context,
  scope_id: string,
  request: UnverifiedRequest,
): Promise<ChatCaller> {
  const named = readScopeId(scope_id)
  const scope = named && (await findScope(ctx.db, named))
  if (!scope) throw await refusalOf(ctx, request, notRegistered())
  const { channel, connected } = scope
  await requireSignature(ctx, channel, request)
  if (!connected) throw notConnected()
  const cause = {
    account_id: connected.account.id,
    user_id: 0,
    request_id: request.request_id,
    integration: { number: channel.integration_number },
  }
  return { channel, ...connected, scope_id, cause }
}

/** Throws unless the request is signed with a valid secret of the channel (C2). */
async function requireSignature(
  ctx: Context,
  channel: ChannelRow,
  request: UnverifiedRequest,
): Promise<void> {
  const signature = request.headers['x-signature']
  const text = signedText(request, ctx.clock())
  const isSigned = (secret: string | null): boolean =>
    secret !== null && text !== null && typeof signature === 'string' && isSignedWith(secret, signature, text)
  const isPresent = isSigned(presentSecret(ctx, channel))
  if (!isPresent && !isSigned(previousSecret(ctx, channel)))
    throw await refusalOf(
      ctx,
      request,
      new Refusal('forbidden', 'invalid signature', { code: 'origin_invalid_signature' }),
    )
  await ctx.limits.take('push', channel.id)
  if (isPresent && channel.is_secret_used === 0)
    await ctx.db.transaction().execute((tx) => markSecretUsed(tx, channel))
}

/** The refusal of an unauthenticated request; 'too_many' after too many of them. */
async function refusalOf(ctx: Context, { address }: UnverifiedRequest, refusal: Refusal): Promise<Refusal> {
  await ctx.limits.take('stranger', address)
  return refusal
}
