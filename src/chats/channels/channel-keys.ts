import type { Actor } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import type { ChannelRow } from '../../db/tables.ts'
import { ownChannels, updateChannelRow } from '../scopes/channel-queries.ts'
import { formerSecret, newChannelSecret, presentSecret, previousSecret } from '../scopes/channel-secrets.ts'
import { type ChannelKeys, OVERLAP } from './channel-schemas.ts'
import { auditChannel, changeOwn } from './own-channels.ts'

/** The keys. Every view is recorded in the audit log (A11). */
export function showChannelKeys(ctx: Context, actor: Actor, id: string): Promise<ChannelKeys> {
  return changeOwn(ctx, actor, id, async (tx, channel) => {
    await auditChannel(ctx, tx, actor, channel, 'channel.secret_shown')
    return {
      channel_id: id,
      secret: presentSecret(ctx, channel),
      previous_until: previousUntil(ctx, channel),
    }
  })
}

/**
 * Creates a new secret. The old one stays valid beside it for a while (C1). If the provider never used the current
 * secret and the previous one is still valid, the previous one is kept instead, because the provider signs with it.
 */
export function rotateSecret(
  ctx: Context,
  actor: Actor,
  id: string,
  overlap = OVERLAP,
): Promise<ChannelKeys> {
  return changeOwn(ctx, actor, id, async (tx, channel) => {
    const { secret, secret_sealed } = await newChannelSecret(ctx, tx, id)
    const isUnused = channel.is_secret_used === 0 && previousSecret(ctx, channel) !== null
    const previous_until = overlap > 0 ? ctx.now() + overlap : null
    const old = isUnused ? channel.previous_sealed : channel.secret_sealed
    await updateChannelRow(tx, id, {
      secret_sealed,
      previous_sealed: previous_until === null ? null : old,
      previous_until,
      is_secret_used: previous_until === null ? 1 : 0,
      updated_at: ctx.now(),
      updated_by: actor.user_id,
    })
    await auditChannel(ctx, tx, actor, channel, 'channel.secret_rotated', { previous_until })
    return { channel_id: id, secret, previous_until }
  })
}

/** The secrets of a channel. They never leave the server. */
export interface ChannelSecrets {
  id: string
  name: string
  present: string
  /** The one before, as long as it is kept. */
  previous: string | null
  is_previous_valid: boolean
}

/** The secrets of the channels of an account, with which signatures are compared. */
export async function channelSecrets(ctx: Context, account_id: number): Promise<ChannelSecrets[]> {
  const rows = await ownChannels(ctx.db, account_id)
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    present: presentSecret(ctx, row),
    previous: formerSecret(ctx, row),
    is_previous_valid: previousSecret(ctx, row) !== null,
  }))
}

/** When the previous secret expires; null if there is none. */
export const previousUntil = (
  ctx: Context,
  { previous_sealed, previous_until }: ChannelRow,
): number | null =>
  previous_sealed !== null && previous_until !== null && ctx.now() < previous_until ? previous_until : null
