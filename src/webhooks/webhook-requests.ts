import type { Context } from '../context.ts'
import type { DeliveryDraft } from '../outbound/deliveries.ts'
import { type FormObject, formBody } from './form-body.ts'
import { type WebhookCode, webhookCodes } from './webhook-types.ts'

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

type Payload = Pick<DeliveryDraft, 'account_id' | 'request_id' | 'trace_context' | 'ordering_key' | 'body'>

/** A request with the headers of the platform. */
export const deliveryTo = (
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
  headers: headersOf(code, payload),
})

/** The kind of the deliveries of listeners. Their subject is the id of the listener. */
export const LISTENER = 'webhook_listener'

/** The same request for a listener, which reads it from a stream and decides where it goes. */
export const streamedTo = ({ id }: { id: number }, code: WebhookCode, payload: Payload): DeliveryDraft => ({
  ...payload,
  kind: LISTENER,
  subject: String(id),
  method: 'POST',
  url: 'http://listener.invalid/',
  headers: headersOf(code, payload),
  is_streamed: true,
})

const headersOf = (code: WebhookCode, { request_id }: Payload): Record<string, string> => ({
  'content-type': 'application/x-www-form-urlencoded',
  'user-agent': 'amoCRM-Webhooks/3.0',
  'x-amocrm-requestid': request_id,
  [EVENT_HEADER]: eventOf(code),
})
