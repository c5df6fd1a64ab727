import { type Actor, requireAdmin } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import { Refusal } from '../../errors.ts'
import { presentSecret } from '../scopes/channel-secrets.ts'
import { connectedChannels } from '../scopes/connection-queries.ts'
import { scopeIdOf } from '../scopes/scopes.ts'
import { bodySignature } from '../scopes/signature.ts'
import { createChannel } from './channels.ts'
import { connectOwn } from './connections.ts'

/** A channel that is connected to an account, as its provider uses it. The secret stays here. */
export interface ProviderLine {
  id: string
  scope_id: string
  /** The X-Signature of a body. */
  sign(body: string): string
}

/** The connection that an action needs: a channel gets reactions with `v2` only. */
export interface LineNeeds {
  hook_api_version?: 'v2'
}

/**
 * The connected channel with this id, or the oldest active one that has what is needed, first those that accept pushes as
 * documented; null if there is none. Throws Refusal('not_found') if the named one is not connected.
 */
export async function findProviderLine(
  ctx: Context,
  account: { id: number; amojo_id: string },
  channel_id: string | null,
  { hook_api_version }: LineNeeds = {},
): Promise<ProviderLine | null> {
  const rows = await connectedChannels(ctx.db, account.id)
  const usable = rows.filter(
    (row) => row.state === 'active' && (!hook_api_version || row.hook_api_version === hook_api_version),
  )
  const channel =
    channel_id === null
      ? (usable.find(({ protocol }) => protocol === 'spec') ?? usable[0])
      : rows.find(({ id }) => id === channel_id)
  if (!channel && channel_id !== null)
    throw new Refusal('not_found', 'No channel with this id is connected to the account.')
  if (!channel) return null
  const secret = presentSecret(ctx, channel)
  return {
    id: channel.id,
    scope_id: scopeIdOf(channel.id, account.amojo_id),
    sign: (body) => bodySignature(secret, body),
  }
}

/** Registers a channel in the actor's account and connects it. */
export async function addProviderLine(
  ctx: Context,
  actor: Actor,
  draft: { name: string; callback_url: string },
): Promise<string> {
  requireAdmin(actor)
  const { keys } = await createChannel(ctx, actor, draft)
  await connectOwn(ctx, actor, keys.channel_id, { hook_api_version: 'v2' })
  return keys.channel_id
}
