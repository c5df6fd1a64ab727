import type { Context } from '../context.ts'
import type { Tx } from '../db/database.ts'
import type { ChatMessageRow, DeliveryRow } from '../db/tables.ts'
import type { DeliveryKind } from '../outbound/deliveries.ts'
import { stopChannel } from './channel-states.ts'
import { findChannel } from './channels.ts'
import { callbackUrlOf, scopeIdOf } from './connections.ts'
import { amojoIdOf } from './destination-queries.ts'
import { findMessage, lockConversation } from './message-queries.ts'
import { changeConversation } from './messages.ts'
import { changeMessage } from './outgoing.ts'
import { signingSecret } from './secrets-of-channels.ts'
import { bodySignature } from './signature.ts'
import { circuitOf } from './unsent.ts'

/** How messages go out, and what becomes of them (C7). The bytes are stored; the rest is as the channel is at each try. */
export function chatDeliveries(ctx: Context): DeliveryKind {
  return {
    prepare: async ({ account_id, circuit, body }) => {
      const channel = await findChannel(ctx.db, channelOf(circuit))
      // Stopped at this very moment: what it had is cancelled, and what comes of this try is dropped.
      if (channel?.state !== 'active') return { url: NOWHERE, tries: 1 }
      const scope_id = scopeIdOf(channel.id, await amojoIdOf(ctx.db, account_id))
      return {
        url: callbackUrlOf(channel, scope_id),
        headers: { 'x-signature': bodySignature(signingSecret(ctx, channel), body ?? '') },
        ...(channel.delivery === 'once' && { tries: 1 }),
      }
    },
    delivered: (tx, delivery) => end(ctx, tx, delivery, { state: 'delivered', error: null }),
    failed: (tx, delivery, _attempt, why) => end(ctx, tx, delivery, { state: 'failed', error: why }),
    stopped: (tx, { circuit }, why) => stopChannel(ctx, tx, channelOf(circuit), why),
  }
}

const NOWHERE = 'about:blank'

const channelOf = (circuit: string | null): string => (circuit ?? '').slice(circuitOf('').length)

/** What the provider has said of the message meanwhile (C9) is more than that it took it. */
async function end(
  ctx: Context,
  tx: Tx,
  { account_id, subject }: Pick<DeliveryRow, 'account_id' | 'subject'>,
  change: Pick<ChatMessageRow, 'state' | 'error'>,
): Promise<void> {
  const home = (await findMessage(tx, account_id, subject))?.conversation_id
  const conversation = home === undefined ? undefined : await lockConversation(tx, account_id, home)
  if (!conversation) return
  const message = await findMessage(tx, account_id, subject)
  if (message?.state !== 'pending') return
  await changeMessage(tx, message, change)
  await changeConversation(ctx, tx, conversation, {})
}
