import { callingRules } from '../automation/automation.ts'
import { circuitOfChannel, receivingChannels } from '../chats/chats.ts'
import type { Context } from '../context.ts'
import type { DeliveryRow } from '../db/tables.ts'
import { hookedIntegrations, idNamed } from '../integrations/integrations.ts'
import type { DeliverySource } from '../outbound/history.ts'
import { receivingWebhooks } from '../webhooks/webhooks.ts'
import { deliveryKinds, type ReceiverKind, receiverKinds } from './kind-types.ts'

/** Something that receives deliveries of an account. */
export interface Receiver {
  /** `webhook:12`; an integration has its whole id here. */
  receiver: string
  name: string
  integration_id: string | null
}

/** All receivers of an account that exist. */
export async function receiversOf({ db }: Context, account_id: number): Promise<Receiver[]> {
  const [webhooks, channels, rules, integrations] = await Promise.all([
    receivingWebhooks(db, account_id),
    receivingChannels(db, account_id),
    callingRules(db, account_id),
    hookedIntegrations(db, account_id),
  ])
  return [
    ...webhooks.map(({ id, destination, integration_id }) => ({
      receiver: `webhook:${id}`,
      name: destination,
      integration_id,
    })),
    ...channels.map(({ id, name, integration_id }) => ({
      receiver: circuitOfChannel(id),
      name,
      integration_id,
    })),
    ...rules.map(({ id, callee }) => ({
      receiver: `automation:${id}`,
      name: callee,
      integration_id: null,
    })),
    ...integrations.map(({ id, name }) => ({ receiver: `integration:${id}`, name, integration_id: id })),
  ]
}

/** The receiver of a delivery; null if it has none of the known kinds. */
export function receiverOf({ kind, subject, circuit }: DeliveryRow): string | null {
  if (kind === 'webhook') return `webhook:${subject}`
  return kind === 'disable_hook' ? `integration:${subject}` : circuit
}

/** The name of a receiver with the whole id of an integration: accounts know other integrations by a handle. */
export async function wholeName(ctx: Context, receiver: string): Promise<string> {
  const [prefix, id = ''] = receiver.split(':')
  return prefix === 'integration' ? `integration:${await idNamed(ctx, id)}` : receiver
}

/** The deliveries of a receiver, in the form of the queue, by their kinds. */
export function sourcesNamed(receiver: string): DeliverySource[] {
  const [prefix = '', id = ''] = receiver.split(':')
  return receiverKinds[prefix as ReceiverKind].map((kind) =>
    kind === 'webhook' || kind === 'disable_hook' ? { kind, subject: id } : { kind, circuit: receiver },
  )
}

interface Wanted {
  kind?: string | undefined
  receiver?: string | undefined
  /** The whole id of an integration. */
  integration_id?: string | undefined
}

/** The sources that a list reads. A receiver or an integration that does not exist has none, or an empty one. */
export async function sourcesOf(ctx: Context, account_id: number, wanted: Wanted): Promise<DeliverySource[]> {
  const { kind, receiver, integration_id } = wanted
  const isOwn = (of: { integration_id: string | null }) => of.integration_id === integration_id
  const named = integration_id === undefined ? undefined : (await receiversOf(ctx, account_id)).filter(isOwn)
  if (receiver === undefined && named === undefined)
    return deliveryKinds.filter((one) => kind === undefined || one === kind).map((one) => ({ kind: one }))
  const names = named?.map((one) => one.receiver) ?? [receiver as string]
  return names
    .filter((name) => receiver === undefined || name === receiver)
    .flatMap(sourcesNamed)
    .filter((source) => kind === undefined || source.kind === kind)
}
