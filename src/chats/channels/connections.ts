import { type Actor, selectAccount } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import type { Tx } from '../../db/database.ts'
import type { ChannelConnectionRow, ChannelRow } from '../../db/tables.ts'
import { invalid, Refusal } from '../../errors.ts'
import { retryOnConflict } from '../conversations/conflicts.ts'
import { channelsOfIntegration, findChannel, isUuid, lockChannel } from '../scopes/channel-queries.ts'
import {
  connectedAccounts,
  connectionOf,
  deleteConnections,
  insertConnection,
  listConnectionRows,
  updateConnection,
} from '../scopes/connection-queries.ts'
import { botIdOf, notRegistered, scopeIdOf } from '../scopes/scopes.ts'
import type { Connect, Connected, ConnectionList } from './channel-schemas.ts'
import {
  auditChannel,
  type ChannelCause,
  changeOwn,
  type IntegrationsOfChannels,
  ownChannel,
} from './own-channels.ts'
import { failPending, lockPending } from './pending-messages.ts'

/** Connections in one response. Larger providers know theirs from the API. */
const MOST_SHOWN = 1_000

const NOT_INSTALLED = 'The integration of the channel is not installed in this account.'
const OWN_ACCOUNT_ONLY = 'The channel has no integration, so only its own account can connect it.'

type ConnectedAccount = { id: number; amojo_id: string }

/**
 * Connects an account at the request of its provider (C3). A repeated request updates the settings and gets the
 * same answer. Throws Refusal('not_found') for an unknown account, 'forbidden' if the account does not allow the
 * channel.
 */
export async function connectAccount(
  ctx: Context,
  by: ChannelCause,
  channel_id: string,
  { account_id: amojo_id, ...settings }: Connect,
  integrations: Pick<IntegrationsOfChannels, 'isInstalled'>,
): Promise<Connected> {
  return ctx.db.transaction().execute(async (tx) => {
    const channel = await lockChannel(tx, channel_id)
    if (!channel) throw notRegistered()
    const account = await namedAccount(tx, amojo_id)
    if (!(await isAllowed(tx, channel, account.id, integrations)))
      throw new Refusal('forbidden', channel.integration_id === null ? OWN_ACCOUNT_ONLY : NOT_INSTALLED)
    return connectedOf(account, channel, await connectIn(ctx, tx, by, channel, account, settings))
  })
}

/** Connects the actor's account to a channel of its own. */
export async function connectOwn(
  ctx: Context,
  actor: Actor,
  id: string,
  settings: Omit<Connect, 'account_id'> = {},
): Promise<void> {
  await changeOwn(ctx, actor, id, async (tx, channel) => {
    const account = await selectAccount(tx).where('id', '=', actor.account_id).executeTakeFirstOrThrow()
    await connectIn(ctx, tx, actor, channel, account, settings)
  })
}

async function connectIn(
  ctx: Context,
  tx: Tx,
  by: ChannelCause,
  channel: ChannelRow,
  account: ConnectedAccount,
  settings: Omit<Connect, 'account_id'>,
): Promise<ChannelConnectionRow> {
  const now = ctx.now()
  const { title, hook_api_version, is_time_window_disabled } = settings
  const given = {
    ...(typeof title === 'string' && { title }),
    ...(hook_api_version && { hook_api_version }),
    ...(typeof is_time_window_disabled === 'boolean' && {
      is_time_window_disabled: Number(is_time_window_disabled) as 0 | 1,
    }),
  }
  const found = await connectionOf(tx, account.id, channel.id)
  if (!found) {
    const row: ChannelConnectionRow = {
      account_id: account.id,
      channel_id: channel.id,
      ...{ title: null, hook_api_version: 'v1', is_time_window_disabled: 0 as const, ...given },
      connected_at: now,
      updated_at: now,
    }
    await insertConnection(tx, row)
    await auditChannel(ctx, tx, by, channel, 'channel.connected', { accounts: [account.id] })
    return row
  }
  const names = Object.keys(given) as (keyof typeof given)[]
  const changed = names.filter((name) => given[name] !== found[name])
  if (changed.length === 0) return found
  await updateConnection(tx, found, { ...given, updated_at: now })
  await auditChannel(ctx, tx, by, channel, 'channel.connection_changed', { accounts: [account.id], changed })
  return { ...found, ...given, updated_at: now }
}

/** A connection without a title of its own follows the name of the channel. */
const connectedOf = (
  { amojo_id }: ConnectedAccount,
  { name }: ChannelRow,
  { channel_id, title, hook_api_version, is_time_window_disabled }: ChannelConnectionRow,
): Connected => ({
  account_id: amojo_id,
  scope_id: scopeIdOf(channel_id, amojo_id),
  title: title ?? name,
  hook_api_version,
  is_time_window_disabled: is_time_window_disabled === 1,
  bot_id: botIdOf(channel_id),
})

/** Disconnects an account at the request of its provider. Throws Refusal('not_found') if it is not connected. */
export async function disconnectAccount(
  ctx: Context,
  by: ChannelCause,
  channel_id: string,
  amojo_id: string,
): Promise<void> {
  await retryOnConflict(() =>
    ctx.db.transaction().execute(async (tx) => {
      const channel = await findChannel(tx, channel_id)
      if (!channel) throw notRegistered()
      const account = await namedAccount(tx, amojo_id)
      await lockPending(tx, { channel_id, account_id: account.id })
      if (!(await disconnectIn(ctx, tx, by, channel, account.id)))
        throw new Refusal('not_found', 'The account is not connected to the channel.')
    }),
  )
}

/** Disconnects the actor's account from its own channel. Repeating it changes nothing. */
export async function disconnectOwn(ctx: Context, actor: Actor, id: string): Promise<void> {
  const channel = await ownChannel(ctx, actor, id)
  await retryOnConflict(() =>
    ctx.db.transaction().execute(async (tx) => {
      await lockPending(tx, { channel_id: id, account_id: actor.account_id })
      await disconnectIn(ctx, tx, actor, channel, actor.account_id)
    }),
  )
}

/** Deletes a connection and fails its pending messages. Returns whether there was a connection. Call lockPending first. */
async function disconnectIn(
  ctx: Context,
  tx: Tx,
  by: ChannelCause,
  channel: ChannelRow,
  account_id: number,
): Promise<boolean> {
  const [gone] = await deleteConnections(tx, account_id, [channel.id])
  if (gone === undefined) return false
  await failPending(ctx, tx, { channel_id: channel.id, account_id }, 'disconnected')
  await auditChannel(ctx, tx, by, channel, 'channel.disconnected', { accounts: [account_id] })
  return true
}

/**
 * Disconnects an account from the channels of an integration that was switched off there (C3). The caller repeats its
 * transaction after a conflict (`retryOnConflict`).
 */
export async function disconnectIntegration(
  ctx: Context,
  tx: Tx,
  by: ChannelCause,
  account_id: number,
  integration_id: string,
): Promise<void> {
  const ids = await channelsOfIntegration(tx, integration_id)
  await lockPending(tx, ...ids.map((channel_id) => ({ channel_id, account_id })))
  for (const id of ids) {
    const channel = await findChannel(tx, id)
    if (channel) await disconnectIn(ctx, tx, by, channel, account_id)
  }
}

/** Disconnects the accounts that no longer allow a channel, after its integration was changed. Call lockPending first. */
export async function disconnectExcluded(
  ctx: Context,
  tx: Tx,
  by: ChannelCause,
  channel: ChannelRow,
  integrations: Pick<IntegrationsOfChannels, 'isInstalled'>,
): Promise<void> {
  for (const account_id of await connectedAccounts(tx, channel.id))
    if (!(await isAllowed(tx, channel, account_id, integrations)))
      await disconnectIn(ctx, tx, by, channel, account_id)
}

/** A channel may connect to its own account, and to accounts where its integration is installed. */
async function isAllowed(
  tx: Tx,
  { account_id: developer, integration_id }: ChannelRow,
  account_id: number,
  integrations: Pick<IntegrationsOfChannels, 'isInstalled'>,
): Promise<boolean> {
  if (account_id === developer) return true
  return integration_id !== null && integrations.isInstalled(tx, account_id, integration_id)
}

export async function listConnections(ctx: Context, actor: Actor, id: string): Promise<ConnectionList> {
  const channel = await ownChannel(ctx, actor, id)
  const rows = await listConnectionRows(ctx.db, channel.id, MOST_SHOWN)
  return {
    connections: rows.map(({ channel_id, amojo_id, updated_at: _, ...row }) => ({
      ...row,
      scope_id: scopeIdOf(channel_id, amojo_id),
      is_time_window_disabled: row.is_time_window_disabled === 1,
    })),
  }
}

async function namedAccount(tx: Tx, amojo_id: string): Promise<ConnectedAccount> {
  if (!isUuid(amojo_id.toLowerCase()))
    throw invalid('account_id', 'InvalidFormat', 'This value is not the amojo_id of an account, a UUID.')
  const account = await selectAccount(tx).where('amojo_id', '=', amojo_id).executeTakeFirst()
  if (!account) throw new Refusal('not_found', 'There is no account with this amojo_id in account_id.')
  return account
}
