import type { Context } from '../context.ts'
import type { Tx } from '../db/database.ts'
import type { Cause } from '../events/events.ts'
import { type DeliveryDraft, enqueueDeliveries } from '../outbound/deliveries.ts'
import { type FormObject, formBody } from './form-body.ts'
import { orderingKeys } from './order.ts'
import { selectEnabled } from './queries.ts'
import { type WebhookCode, webhookCodes } from './webhook-types.ts'

/** The items of a body. */
const ITEMS = 50

/** A change of a record or of something that belongs to it. */
export interface Change {
  /** The subscriptions that it concerns. All have the same key and action. */
  codes: readonly [WebhookCode, ...WebhookCode[]]
  /** The kind and id of the record, such as `leads 12`. Its deliveries to a webhook keep their order. */
  record: string
  item: FormObject
}

/** The enabled webhooks of an account, as they are at the time of a change. */
export interface Subscriptions {
  subdomain: string
  webhooks: { id: number; destination: string; codes: ReadonlySet<string> }[]
  /** Whether a webhook subscribes to one of these. */
  has(...codes: WebhookCode[]): boolean
}

/** The subscriptions of an account; null if it has no enabled webhook, so nothing has to be announced. */
export async function findSubscriptions(tx: Tx, account_id: number): Promise<Subscriptions | null> {
  const rows = await selectEnabled(tx, { account_id })
  const [first] = rows
  if (!first) return null
  const webhooks = rows.map(({ id, destination, settings }) => ({
    id,
    destination,
    codes: new Set<string>(JSON.parse(settings)),
  }))
  return {
    subdomain: first.subdomain,
    webhooks,
    has: (...codes) => webhooks.some((webhook) => codes.some((code) => webhook.codes.has(code))),
  }
}

/**
 * Queues the requests that announce these changes, in their transaction. The caller has locked their records, so the
 * requests about one of them keep the order of its changes (H2). Changes of one action are sent together, at most 50 in
 * one request.
 */
export async function announce(
  ctx: Context,
  tx: Tx,
  by: Cause,
  subscriptions: Subscriptions,
  changes: readonly Change[],
): Promise<void> {
  const { account_id, request_id } = by
  const concerned = subscriptions.webhooks
    .map((webhook) => ({
      ...webhook,
      changes: changes.filter(({ codes }) => codes.some((code) => webhook.codes.has(code))),
    }))
    .filter((webhook) => webhook.changes.length > 0)
  if (concerned.length === 0) return
  const keyOf = await orderingKeys(ctx, tx, account_id, concerned)
  const account = accountOf(ctx, account_id, subscriptions.subdomain)
  const bodies = new Map<string, string>()
  const places = new Map(changes.map((change, i) => [change, i]))
  const drafts = concerned.flatMap((webhook) =>
    joined(webhook.changes, (change) => keyOf(webhook.id, change.record)).map((group): DeliveryDraft => {
      // Webhooks with the same subscriptions receive the same bytes.
      const name = group.changes.map((change) => places.get(change)).join()
      const [{ codes }] = group.changes as [Change]
      const items = group.changes.map(({ item }) => item)
      const body = bodies.get(name) ?? bodyOf(account, codes[0], items)
      bodies.set(name, body)
      return deliveryTo(webhook, codes[0], { account_id, request_id, ordering_key: group.ordering_key, body })
    }),
  )
  await enqueueDeliveries(tx, drafts, ctx.now())
  ctx.queued.ringAfterCommit()
}

/** Groups of changes with one action and one ordering key, in the order of their first changes. */
function joined(
  changes: readonly Change[],
  keyOf: (change: Change) => string,
): { ordering_key: string; changes: Change[] }[] {
  const groups = Map.groupBy(changes, (change) => {
    const { key, action } = webhookCodes[change.codes[0]]
    return `${key} ${action} ${keyOf(change)}`
  })
  return [...groups.values()].flatMap((group) =>
    Array.from({ length: Math.ceil(group.length / ITEMS) }, (_, i) => ({
      ordering_key: keyOf(group[0] as Change),
      changes: group.slice(i * ITEMS, (i + 1) * ITEMS),
    })),
  )
}

/** The account in every body. */
export const accountOf = ({ hosts }: Context, id: number, subdomain: string): FormObject => ({
  subdomain,
  id,
  _links: { self: hosts.accountUrl(subdomain) },
})

/** A body with items of one action (docs/wire/webhooks.md#request). */
export function bodyOf(account: FormObject, code: WebhookCode, items: readonly FormObject[]): string {
  const { key, action } = webhookCodes[code]
  return formBody({ account, [key]: { [action]: items } })
}

export const KIND = 'webhook'

/** A header with the kind of the change, as it stands in the body: `leads[status]`. */
export const EVENT_HEADER = 'x-webhook-event'

const eventOf = (code: WebhookCode): string => `${webhookCodes[code].key}[${webhookCodes[code].action}]`

/** The circuit of a webhook. Ids of webhooks are unique in all accounts. */
export const circuitOf = (id: number): string => `webhook:${id}`

type Payload = Pick<DeliveryDraft, 'account_id' | 'request_id' | 'ordering_key' | 'body'>

/** A request with the headers of the platform. */
const deliveryTo = (
  { id, destination }: { id: number; destination: string },
  code: WebhookCode,
  payload: Payload,
): DeliveryDraft => ({
  ...payload,
  kind: KIND,
  subject: String(id),
  circuit: circuitOf(id),
  method: 'POST',
  url: destination,
  headers: {
    'content-type': 'application/x-www-form-urlencoded',
    'user-agent': 'amoCRM-Webhooks/3.0',
    'x-amocrm-requestid': payload.request_id,
    [EVENT_HEADER]: eventOf(code),
  },
})
