import { randomBytes } from 'node:crypto'
import type { Context } from '../../context.ts'
import type { ChannelRow } from '../../db/tables.ts'

/** 40 random bytes in hex (C1), and the form in which they are stored. */
export function newChannelSecret(
  ctx: Context,
  channel_id: string,
): { secret: string; secret_sealed: Buffer } {
  const secret = randomBytes(40).toString('hex')
  return { secret, secret_sealed: ctx.vault.seal(placeOf(channel_id), secret) }
}

/** What the provider should sign with. */
export const presentSecret = (ctx: Context, { id, secret_sealed }: ChannelRow): string =>
  ctx.vault.unseal(placeOf(id), secret_sealed)

/** The secret before the last rotation, as long as it is good; null when it is not, or there is none. */
export function previousSecret(ctx: Context, channel: ChannelRow): string | null {
  const { id, previous_sealed, previous_until } = channel
  if (previous_sealed === null || previous_until === null || ctx.now() >= previous_until) return null
  return ctx.vault.unseal(placeOf(id), previous_sealed)
}

/**
 * What callbacks are signed with now. After a rotation that is the old secret, until the provider has signed something
 * with the new one or the overlap ends: then he knows the new one, and a callback is never refused for the change.
 */
export const signingSecret = (ctx: Context, channel: ChannelRow): string =>
  (channel.is_secret_used ? null : previousSecret(ctx, channel)) ?? presentSecret(ctx, channel)

/** The same for both columns: what was the present secret becomes the previous one as it is. */
const placeOf = (channel_id: string) => `channels/secret/${channel_id}`
