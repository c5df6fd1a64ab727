import type { NamesOfIntegrations } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import type { DeliveryRow } from '../db/tables.ts'
import { Refusal } from '../errors.ts'
import { idNamed } from '../integrations/integrations.ts'
import { listAttempts } from '../outbound/deliveries.ts'
import { findDelivery, type ListedDelivery, listDeliveries } from '../outbound/history.ts'
import { withoutSecretsOfBody, withoutSecretsOfForm, withoutTokens } from '../request-log/request-log.ts'
import { deliveryKinds, isOfChat } from './kind-types.ts'
import { type Receiver, receiverOf, receiversOf, sourcesOf, wholeName } from './receivers.ts'
import type { Delivery, DeliveryDetails, DeliveryPage, DeliveryQuery } from './schemas.ts'

export { isOfChat } from './kind-types.ts'

/** A webhook says in this header what happened. */
const EVENT_HEADER = 'x-webhook-event'

/** Finds receivers, and names them as the account may know integrations (A18). */
interface Names {
  of(delivery: DeliveryRow): Pick<Delivery, 'receiver' | 'receiver_name' | 'integration_id'>
  list: Receiver[]
}

/** The deliveries of the account, the latest first: webhooks, messages to chat channels, calls of rules, disable hooks. */
export async function pageOfDeliveries(
  ctx: Context,
  account_id: number,
  { kind, receiver, integration, state, before, limit }: DeliveryQuery,
  namesOf: NamesOfIntegrations,
): Promise<DeliveryPage> {
  const sources = await sourcesOf(ctx, account_id, {
    kind,
    receiver: receiver && (await wholeName(ctx, receiver)),
    integration_id: integration && (await idNamed(ctx, integration)),
  })
  const found = await listDeliveries(ctx.db, account_id, sources, { before, state }, limit + 1)
  const page = found.slice(0, limit)
  const names = await namesIn(ctx, account_id, namesOf)
  return {
    deliveries: page.map((one) => shown(one, names)),
    next: found.length > limit ? (page.at(-1)?.delivery.id ?? null) : null,
  }
}

/** One of them with its request and every attempt. Throws Refusal('not_found'). */
export async function readDelivery(
  ctx: Context,
  account_id: number,
  id: number,
  namesOf: NamesOfIntegrations,
): Promise<DeliveryDetails> {
  const delivery = await existing(ctx, account_id, id)
  const tries = await listAttempts(ctx.db, account_id, id)
  const headers = JSON.parse(delivery.headers) as Record<string, string>
  return {
    ...shown({ delivery, last: tries.at(-1) ?? null }, await namesIn(ctx, account_id, namesOf)),
    can_be_sent_again: canBeSentAgain(delivery),
    headers,
    body: delivery.body === null ? null : withoutTokens(withoutSecretsOfBody(delivery.body, false) ?? ''),
    tries: tries.map(({ delivery_id: _, ...attempt }) => attempt),
  }
}

/** A delivery of the account; Refusal('not_found') if there is none. Deliveries are kept for 30 days. */
export async function existing(ctx: Context, account_id: number, id: number): Promise<DeliveryRow> {
  const delivery = await findDelivery(ctx.db, account_id, id)
  // Deliveries that are only streamed are not in the list.
  if (!deliveryKinds.some((kind) => kind === delivery?.kind) || !delivery)
    throw new Refusal('not_found', 'Delivery not found')
  return delivery
}

/** A message or reaction that a channel has received is not sent a second time: its receiver would show it twice. */
export const canBeSentAgain = ({ kind, state, ended_at }: DeliveryRow): boolean =>
  isOfChat(kind) ? state === 'failed' : ended_at !== null

/** The receivers of the account, for the filter of a list. */
export const listReceivers = async (
  ctx: Context,
  account_id: number,
  namesOf: NamesOfIntegrations,
): Promise<Receiver[]> => (await namesIn(ctx, account_id, namesOf)).list

async function namesIn(ctx: Context, account_id: number, namesOf: NamesOfIntegrations): Promise<Names> {
  const all = await receiversOf(ctx, account_id)
  const ids = [...new Set(all.flatMap(({ integration_id }) => integration_id ?? []))]
  const nameOf = await namesOf(ctx, account_id, ids)
  const shownName = (receiver: string) => {
    const [prefix, id = ''] = receiver.split(':')
    return prefix === 'integration' ? `integration:${nameOf(id)}` : receiver
  }
  const named = ({ receiver, name, integration_id }: Receiver): Receiver => ({
    receiver: shownName(receiver),
    name: addressless(name),
    integration_id: integration_id && nameOf(integration_id),
  })
  const known = new Map(all.map((one) => [one.receiver, named(one)]))
  return {
    list: [...known.values()],
    of: (delivery) => {
      const receiver = receiverOf(delivery)
      const found = receiver === null ? undefined : known.get(receiver)
      return {
        receiver: receiver && (found?.receiver ?? shownName(receiver)),
        receiver_name: found?.name ?? null,
        integration_id: found?.integration_id ?? null,
      }
    },
  }
}

function shown({ delivery, last }: ListedDelivery, names: Names): Delivery {
  const { id, kind, method, url, state, attempts, created_at, ended_at, request_id } = delivery
  return {
    ...{ id, kind, method, state, attempts, created_at, ended_at, request_id },
    ...names.of(delivery),
    event: (JSON.parse(delivery.headers) as Record<string, string>)[EVENT_HEADER] ?? null,
    url: addressless(url),
    next_attempt_at: state === 'ready' ? delivery.next_attempt_at : null,
    last_status: last?.status ?? null,
    last_error: last?.error ?? null,
  }
}

/** An address without the secrets in its query. */
function addressless(url: string): string {
  const at = url.indexOf('?')
  return withoutTokens(at < 0 ? url : url.slice(0, at + 1) + withoutSecretsOfForm(url.slice(at + 1)))
}
