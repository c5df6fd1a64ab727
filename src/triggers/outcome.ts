import type { Context } from '../context.ts'
import { eventTypeOf } from '../events/event-types.ts'
import { newestBefore, selectCaused } from '../events/events.ts'
import { newestDelivery, selectCausedDeliveries } from '../outbound/outgoing-queries.ts'
import { fanOut } from '../webhooks/webhooks.ts'
import type { CausedDelivery, CausedEvent } from './schemas.ts'

/** The newest recorded event and the newest queued delivery of the account before an action. */
export interface Position {
  event: string
  delivery: number
}

/** The events and deliveries that an action has caused. */
export interface Outcome {
  events: CausedEvent[]
  deliveries: CausedDelivery[]
}

/** The most events and deliveries that an answer has. */
const MOST = 100

export async function positionOf(ctx: Context, account_id: number): Promise<Position> {
  const [newest] = await newestBefore(ctx.db, account_id)
  return { event: newest?.id ?? '', delivery: await newestDelivery(ctx.db, account_id) }
}

/** The events and deliveries of these requests since a position. Announced changes are queued first. */
export async function outcomeOf(
  ctx: Context,
  account_id: number,
  since: Position,
  request_ids: readonly string[],
): Promise<Outcome> {
  const queueMore = fanOut(ctx)
  while (await queueMore()) {}
  const [events, deliveries] = await Promise.all([
    selectCaused(ctx.db, { account_id, after: since.event, request_ids }, MOST),
    selectCausedDeliveries(ctx.db, { account_id, after: since.delivery, request_ids }, MOST),
  ])
  ctx.queued.ring()
  return {
    events: events.map(({ id, type, entity_type, entity_id }) => ({
      id,
      type: eventTypeOf(type) ?? String(type),
      entity_type,
      entity_id,
    })),
    deliveries: deliveries.map(({ id, kind, endpoint, headers }) => ({
      id: `del_${id}`,
      kind,
      event: (JSON.parse(headers) as Record<string, string>)['x-webhook-event'] ?? null,
      endpoint,
    })),
  }
}
