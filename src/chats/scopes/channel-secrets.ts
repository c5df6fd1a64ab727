import { randomBytes } from 'node:crypto'
import type { Context } from '../../context.ts'
import type { Tx } from '../../db/database.ts'
import { sealStored } from '../../db/master-key.ts'
import type { ChannelRow } from '../../db/tables.ts'
import { secretPlace } from './sealed-queries.ts'

/** A new secret of 40 random bytes in hex (C1), plain and sealed. */
export async function newChannelSecret(
  ctx: Context,
  tx: Tx,
  channel_id: string,
): Promise<{ secret: string; secret_sealed: Buffer }> {
  const secret = randomBytes(40).toString('hex')
  return { secret, secret_sealed: await sealStored(tx, ctx.vault, secretPlace(channel_id), secret) }
}

/** The current secret. */
export const presentSecret = (ctx: Context, { id, secret_sealed }: ChannelRow): string =>
  ctx.vault.unseal(secretPlace(id), secret_sealed)

/** The secret before the last rotation; null if there is none or it has expired. */
export function previousSecret(ctx: Context, channel: ChannelRow): string | null {
  const { id, previous_sealed, previous_until } = channel
  if (previous_sealed === null || previous_until === null || ctx.now() >= previous_until) return null
  return ctx.vault.unseal(secretPlace(id), previous_sealed)
}

/** The secret before the last rotation, even if it has expired; null if it is not kept. */
export const formerSecret = (ctx: Context, { id, previous_sealed }: ChannelRow): string | null =>
  previous_sealed === null ? null : ctx.vault.unseal(secretPlace(id), previous_sealed)

/**
 * The secret that signs callbacks. After a rotation it is the previous one until the provider signs with the new
 * one, or until the previous one expires, so that no callback is rejected because of the rotation.
 */
export const signingSecret = (ctx: Context, channel: ChannelRow): string =>
  (channel.is_secret_used ? null : previousSecret(ctx, channel)) ?? presentSecret(ctx, channel)
