import { randomBytes } from 'node:crypto'
import type { Context } from '../../context.ts'
import type { Tx } from '../../db/database.ts'
import { sealStored } from '../../db/master-key.ts'
import type { ChannelRow } from '../../db/tables.ts'
import type { Vault } from '../../vault.ts'
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

/** Secrets that are kept, of each vault. */
const KEPT = 1_000

/** Secrets by their places and sealed forms: to open one takes several times as long as to verify a signature. */
const kept = new WeakMap<Vault, Map<string, string>>()

function unsealed({ vault }: Context, { id }: Pick<ChannelRow, 'id'>, sealed: Buffer): string {
  let secrets = kept.get(vault)
  if (!secrets || secrets.size >= KEPT) {
    secrets = new Map()
    kept.set(vault, secrets)
  }
  const name = `${id} ${sealed.toString('base64')}`
  const secret = secrets.get(name) ?? vault.unseal(secretPlace(id), sealed)
  secrets.set(name, secret)
  return secret
}

/** The current secret. */
export const presentSecret = (ctx: Context, channel: ChannelRow): string =>
  unsealed(ctx, channel, channel.secret_sealed)

/** The secret before the last rotation; null if there is none or it has expired. */
export function previousSecret(ctx: Context, channel: ChannelRow): string | null {
  const { previous_sealed, previous_until } = channel
  if (previous_sealed === null || previous_until === null || ctx.now() >= previous_until) return null
  return unsealed(ctx, channel, previous_sealed)
}

/** The secret before the last rotation, even if it has expired; null if it is not kept. */
export const formerSecret = (ctx: Context, channel: ChannelRow): string | null =>
  channel.previous_sealed === null ? null : unsealed(ctx, channel, channel.previous_sealed)

/**
 * The secret that signs callbacks. After a rotation it is the previous one until the provider signs with the new
 * one, or until the previous one expires, so that no callback is rejected because of the rotation.
 */
export const signingSecret = (ctx: Context, channel: ChannelRow): string =>
  (channel.is_secret_used ? null : previousSecret(ctx, channel)) ?? presentSecret(ctx, channel)
