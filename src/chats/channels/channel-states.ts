import type { Actor } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import type { Tx } from '../../db/database.ts'
import type { ChannelRow } from '../../db/tables.ts'
import { closeCircuit, lockForClosing, type Stop } from '../../outbound/circuit-breaker.ts'
import { lockChannel, updateChannelRow } from '../scopes/channel-queries.ts'
import { circuitOf } from '../scopes/scopes.ts'
import { auditChannel, changeOwn } from './own-channels.ts'
import { failPending, lockPending } from './pending-messages.ts'

/** The cause of a stop by the queue: no user and no request. */
const nobody = { user_id: 0, address: null, request_id: 'callbacks' }

/** Locks what stopChannel changes, in the order of all who close a channel. */
export async function lockForStop(tx: Tx, channel_id: string): Promise<void> {
  await lockPending(tx, { channel_id })
  await lockChannel(tx, channel_id)
}

/**
 * Stops a channel whose callback returned 410 or has failed for days (C7). Its pending messages fail, and nothing
 * is sent until a user resumes it. Pushes of the provider are still accepted. Call lockForStop first.
 */
export async function stopChannel(ctx: Context, tx: Tx, channel_id: string, reason: Stop): Promise<void> {
  const channel = await lockChannel(tx, channel_id)
  if (!channel || channel.state === 'stopped') return
  await updateChannelRow(tx, channel_id, { state: 'stopped', stop_reason: reason, stopped_at: ctx.now() })
  await failPending(ctx, tx, { channel_id }, reason === 'gone' ? 'gone' : 'stopped')
  await auditChannel(ctx, tx, nobody, channel, 'channel.stopped', { reason })
}

/** Resumes a stopped channel. For an active one, pending messages are tried now. */
export async function resumeChannel(ctx: Context, actor: Actor, id: string): Promise<void> {
  const resume = async (tx: Tx, channel: ChannelRow): Promise<void> => {
    const running = { state: 'active', stop_reason: null, stopped_at: null }
    await updateChannelRow(tx, id, { ...running, updated_at: ctx.now(), updated_by: actor.user_id })
    await closeCircuit(tx, circuitOf(id), ctx.now())
    await auditChannel(ctx, tx, actor, channel, 'channel.resumed')
  }
  await changeOwn(ctx, actor, id, resume, (tx) => lockForClosing(tx, circuitOf(id)))
  ctx.queued.ring()
}
