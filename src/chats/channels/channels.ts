import { randomUUID } from 'node:crypto'
import { type Actor, lockAccount, requireAdmin } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import type { Db, Tx } from '../../db/database.ts'
import type { ChannelRow } from '../../db/tables.ts'
import { invalid, Refusal } from '../../errors.ts'
import { checkUrl } from '../../http/registered-urls.ts'
import { closeCircuit, lockForClosing } from '../../outbound/circuit-breaker.ts'
import { insertChannel, ownChannels, updateChannelRow } from '../scopes/channel-queries.ts'
import { newChannelSecret } from '../scopes/channel-secrets.ts'
import { deleteConnectionsOfChannel } from '../scopes/connection-queries.ts'
import { circuitOf } from '../scopes/scopes.ts'
import type { Channel, ChannelPatch, NewChannel, SavedChannel } from './channel-schemas.ts'
import { shownChannels } from './channel-view.ts'
import { disconnectExcluded } from './connections.ts'
import { auditChannel, changeOwn, type IntegrationsOfChannels } from './own-channels.ts'
import { failPending, lockPending } from './pending-messages.ts'

const MOST_CHANNELS = 100

const noIntegrations: IntegrationsOfChannels = { ownNumber: async () => null, isInstalled: async () => false }

/**
 * Registers a channel and generates its keys (C1). No account is connected yet. Throws Refusal('invalid') for wrong
 * members, 'forbidden' if the actor is no administrator.
 */
export async function createChannel(
  ctx: Context,
  actor: Actor,
  draft: NewChannel,
  integrations = noIntegrations,
): Promise<SavedChannel> {
  requireAdmin(actor)
  const integration = await checkDraft(ctx.db, actor, draft, integrations)
  const id = randomUUID()
  const now = ctx.now()
  const columns: Omit<ChannelRow, 'secret_sealed'> = {
    ...{ integration_id: null, integration_number: null, protocol: 'spec', delivery: 'retry' },
    ...columnsOf(draft),
    ...integration,
    id,
    account_id: actor.account_id,
    name: draft.name,
    callback_url: draft.callback_url,
    previous_sealed: null,
    previous_until: null,
    is_secret_used: 1,
    state: 'active',
    stop_reason: null,
    stopped_at: null,
    is_deleted: 0,
    created_at: now,
    created_by: actor.user_id,
    updated_at: now,
    updated_by: actor.user_id,
  }
  const secret = await ctx.db.transaction().execute(async (tx) => {
    await lockAccount(tx, actor.account_id)
    if ((await ownChannels(tx, actor.account_id)).length >= MOST_CHANNELS)
      throw new Refusal('conflict', `An account has ${MOST_CHANNELS} channels at most.`, {
        code: 'channel_limit',
      })
    const { secret, secret_sealed } = await newChannelSecret(ctx, tx, id)
    const row = { ...columns, secret_sealed }
    await insertChannel(tx, row)
    await auditChannel(ctx, tx, actor, row, 'channel.created')
    return secret
  })
  const keys = { channel_id: id, secret, previous_until: null }
  return { channel: await readChannel(ctx, actor, id), keys }
}

export async function listChannels(ctx: Context, actor: Actor): Promise<Channel[]> {
  requireAdmin(actor)
  return shownChannels(ctx, await ownChannels(ctx.db, actor.account_id))
}

export async function readChannel(ctx: Context, actor: Actor, id: string): Promise<Channel> {
  requireAdmin(actor)
  const [channel] = await shownChannels(ctx, await ownChannels(ctx.db, actor.account_id, id))
  if (!channel) throw new Refusal('not_found', 'There is no such channel in this account.')
  return channel
}

/**
 * Changes the given settings. Pending messages go to the new callback at once: its URL is read at each attempt, and the
 * failures of the old one do not count for it.
 */
export async function updateChannel(
  ctx: Context,
  actor: Actor,
  id: string,
  patch: ChannelPatch,
  integrations: IntegrationsOfChannels,
): Promise<Channel> {
  requireAdmin(actor)
  const integration = await checkDraft(ctx.db, actor, patch, integrations)
  const change = async (tx: Tx, before: ChannelRow): Promise<void> => {
    const columns = columnsOf(patch)
    const changed = Object.keys(columns).filter(
      (name) => columns[name as keyof typeof columns] !== before[name as keyof ChannelRow],
    )
    if (changed.length === 0) return
    const changes = { ...columns, ...integration, updated_at: ctx.now(), updated_by: actor.user_id }
    const after = { ...before, ...changes }
    await updateChannelRow(tx, id, changes)
    await auditChannel(ctx, tx, actor, after, 'channel.changed', { changed })
    if (changed.includes('integration_id')) await disconnectExcluded(ctx, tx, actor, after, integrations)
    if (changed.includes('callback_url')) await closeCircuit(tx, circuitOf(id), ctx.now())
  }
  await changeOwn(ctx, actor, id, change, async (tx) => {
    if (patch.callback_url !== undefined) await lockForClosing(tx, circuitOf(id))
    if (patch.integration_id !== undefined) await lockPending(tx, { channel_id: id })
  })
  ctx.queued.ring()
  return readChannel(ctx, actor, id)
}

/** Deletes a channel: it sends and receives nothing any more. Its conversations stay. */
export async function deleteChannel(ctx: Context, actor: Actor, id: string): Promise<void> {
  const pending = { channel_id: id }
  const remove = async (tx: Tx, channel: ChannelRow): Promise<void> => {
    const accounts = await deleteConnectionsOfChannel(tx, id)
    await failPending(ctx, tx, pending, 'disconnected')
    await updateChannelRow(tx, id, {
      is_deleted: 1,
      previous_sealed: null,
      previous_until: null,
      updated_at: ctx.now(),
      updated_by: actor.user_id,
    })
    await auditChannel(ctx, tx, actor, channel, 'channel.deleted', { accounts })
  }
  await changeOwn(ctx, actor, id, remove, (tx) => lockPending(tx, pending))
}

/** Whether a change requires the password again: it decides where messages go. */
export const isSensitive = ({ callback_url }: ChannelPatch): boolean => callback_url !== undefined

/** Returns the number of the integration that is named. */
async function checkDraft(
  db: Db,
  { account_id }: Actor,
  { callback_url, integration_id }: ChannelPatch,
  integrations: Pick<IntegrationsOfChannels, 'ownNumber'>,
): Promise<Partial<Pick<ChannelRow, 'integration_number'>>> {
  if (callback_url !== undefined) checkUrl('callback_url', callback_url)
  if (integration_id === undefined) return {}
  if (!integration_id) return { integration_number: null }
  const integration_number = await integrations.ownNumber(db, account_id, integration_id)
  if (integration_number === null)
    throw invalid(
      'integration_id',
      'NotSupportedChoice',
      'The account has no integration of its own with this id.',
    )
  return { integration_number }
}

/** The given members that are columns. */
function columnsOf(patch: ChannelPatch): ChannelPatch {
  const { name, callback_url, integration_id, protocol, delivery } = patch
  const given = Object.entries({ name, callback_url, integration_id, protocol, delivery })
  return Object.fromEntries(given.filter(([, value]) => value !== undefined))
}
