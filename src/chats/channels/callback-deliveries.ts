import type { Context } from '../../context.ts'
import type { DeliveryRow } from '../../db/tables.ts'
import type { DeliveryKind } from '../../outbound/deliveries.ts'
import { announceRetry, recordResults } from '../messages/delivery-results.ts'
import { signingSecret } from '../scopes/channel-secrets.ts'
import { findChannelTo } from '../scopes/destination-queries.ts'
import { callbackUrlOf, circuitOf, scopeIdOf } from '../scopes/scopes.ts'
import { bodySignature } from '../scopes/signature.ts'
import { lockForStop, stopChannel } from './channel-states.ts'

/** How the outbound queue delivers messages (C7). */
export const chatDeliveries = (ctx: Context): DeliveryKind => ({
  ...toChannels(ctx),
  allDelivered: (tx, deliveries) =>
    recordResults(ctx, tx, deliveries.map(messageOf), { state: 'delivered', error: null }),
  retried: (tx, delivery) => announceRetry(ctx, tx, messageOf(delivery)),
  failed: (tx, delivery, _attempt, why) =>
    recordResults(ctx, tx, [messageOf(delivery)], { state: 'failed', error: why }),
})

/** How it delivers reactions (C25): nothing depends on their outcome. */
export const actionDeliveries = (ctx: Context): DeliveryKind => toChannels(ctx)

/** The bytes are stored; URL, signature and number of tries follow the channel at each attempt. */
function toChannels(ctx: Context): Pick<DeliveryKind, 'prepare' | 'stopping' | 'stopped'> {
  return {
    prepare: async ({ account_id, circuit, body }) => {
      const channel = await findChannelTo(ctx.db, account_id, channelOf(circuit))
      // The channel was stopped a moment ago. Its deliveries are cancelled, and the result of this attempt is
      // dropped.
      if (channel?.state !== 'active') return { url: NOWHERE, tries: 1 }
      return {
        url: callbackUrlOf(channel, scopeIdOf(channel.id, channel.amojo_id)),
        headers: { 'x-signature': bodySignature(signingSecret(ctx, channel), body ?? '') },
        ...(channel.delivery === 'once' && { tries: 1 }),
      }
    },
    stopping: (tx, { circuit }) => lockForStop(tx, channelOf(circuit)),
    stopped: (tx, { circuit }, why) => stopChannel(ctx, tx, channelOf(circuit), why),
  }
}

const NOWHERE = 'about:blank'

const channelOf = (circuit: string | null): string => (circuit ?? '').slice(circuitOf('').length)

const messageOf = ({ account_id, subject }: DeliveryRow) => ({ account_id, message_id: subject })
