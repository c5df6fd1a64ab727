/** The public API of the slice: subscriptions to changes, and how a change is announced. */

export { announce, type Change, findSubscriptions, type Subscriptions } from './announce.ts'
export { queueAnnounced } from './fan-out.ts'
export { type FormObject, type FormValue, formBody } from './form-body.ts'
export { dateText, elementTypes } from './older-names.ts'
export { sweepOrders } from './order.ts'
export { anyWebhook } from './queries.ts'
export type { Sample, Samples } from './samples.ts'
export type { FindIntegrations } from './settings.ts'
export { webhookSecrets } from './signing.ts'
export { listWebhooks, requireUrl, subscribe, unsubscribe } from './subscriptions.ts'
export { webhookDeliveries } from './webhook-deliveries.ts'
export { disableWebhooksOf } from './webhook-states.ts'
