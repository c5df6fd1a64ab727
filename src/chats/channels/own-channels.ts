import { type Actor, actingIntegration, recordAudit, requireAdmin } from '../../accounts/accounts.ts'
import type { AuditAction, AuditDetails } from '../../accounts/audit/audit-types.ts'
import type { Context } from '../../context.ts'
import type { Db, Tx } from '../../db/database.ts'
import type { ChannelRow } from '../../db/tables.ts'
import { Refusal } from '../../errors.ts'
import type { Cause } from '../../events/events.ts'
import { retryOnConflict } from '../conversations/conflicts.ts'
import { findChannel, lockChannel } from '../scopes/channel-queries.ts'

/** Data about integrations, a later slice, that channels need. */
export interface IntegrationsOfChannels {
  /** The number of an integration of which the account is the developer; null for others. */
  ownNumber(db: Db, account_id: number, integration_id: string): Promise<number | null>
  /** Whether it is installed and active in the account; the row stays locked until the transaction ends. */
  isInstalled(tx: Tx, account_id: number, integration_id: string): Promise<boolean>
}

/** The user who changes a channel, or the provider (user 0). */
export type ChannelCause = Pick<Cause, 'user_id' | 'request_id' | 'integration'> & { address: string | null }

/**
 * A channel of the actor's account. Every administrator of that account manages it. For other accounts it does not
 * exist.
 */
export async function ownChannel(ctx: Context, actor: Actor, id: string): Promise<ChannelRow> {
  requireAdmin(actor)
  return owned(actor, await findChannel(ctx.db, id))
}

/**
 * Changes a channel of the actor's account under its lock, again after a conflict with another transaction. `first` takes
 * the locks that come before it.
 */
export async function changeOwn<T>(
  ctx: Context,
  actor: Actor,
  id: string,
  change: (tx: Tx, channel: ChannelRow) => Promise<T>,
  first: (tx: Tx) => Promise<unknown> = async () => {},
): Promise<T> {
  await ownChannel(ctx, actor, id)
  return retryOnConflict(() =>
    ctx.db.transaction().execute(async (tx) => {
      await first(tx)
      return change(tx, owned(actor, await lockChannel(tx, id)))
    }),
  )
}

function owned(actor: Actor, channel: ChannelRow | undefined): ChannelRow {
  if (channel?.account_id !== actor.account_id)
    throw new Refusal('not_found', 'There is no such channel in this account.')
  return channel
}

/** Records a change in the audit log of the developer account and of the other accounts concerned. */
export function auditChannel(
  ctx: Context,
  tx: Tx,
  by: ChannelCause,
  channel: ChannelRow,
  action: AuditAction,
  { accounts = [], ...details }: AuditDetails & { accounts?: number[] } = {},
): Promise<void> {
  const { user_id, address, request_id } = by
  const by_integration = actingIntegration(by)
  const draft = { user_id, by_integration, address, request_id, channel_id: channel.id, action }
  const others = accounts.filter((id) => id !== channel.account_id)
  return recordAudit(
    ctx,
    tx,
    {
      ...draft,
      account_id: channel.account_id,
      details: { name: channel.name, ...details, ...(accounts.length > 0 && { accounts }) },
    },
    ...others.map((account_id) => ({ ...draft, account_id, details: { name: channel.name, ...details } })),
  )
}
