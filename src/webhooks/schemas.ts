import { type Static, Type } from 'typebox'
import { webhookCodeNames } from './webhook-types.ts'

const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
const Destination = Type.String({ minLength: 1, maxLength: 2_048, description: 'An http or https URL.' })
const Code = Type.Enum(webhookCodeNames, { type: 'string' })
const Settings = Type.Array(Code, {
  minItems: 1,
  maxItems: 100,
  description: 'The codes of the subscribed changes.',
})

/** A webhook on the wire (docs/wire/webhooks.md#calls). */
export const Webhook = Type.Object(
  {
    id: Type.Integer(),
    destination: Type.String({ description: 'The URL that receives the requests.' }),
    created_at: Type.Integer(),
    updated_at: Type.Integer(),
    account_id: Type.Integer(),
    created_by: Type.Integer({ description: 'The id of the user who subscribed.' }),
    sort: Type.Integer({ description: 'Assigned by the server.' }),
    disabled: Type.Boolean({ description: 'Nothing is sent while this is true.' }),
    settings: Type.Array(Type.String(), { description: 'The codes of the subscribed changes.' }),
  },
  { title: 'Webhook' },
)
export type Webhook = Static<typeof Webhook>

/** The platform answers without links. */
export const Webhooks = Type.Object(
  {
    _total_items: Type.Integer(),
    _embedded: Type.Object({ webhooks: Type.Array(Webhook) }),
  },
  { title: 'Webhooks' },
)

export const NewWebhook = Type.Object(
  {
    destination: Destination,
    settings: Settings,
    sort: Type.Optional(Type.Integer({ description: 'Ignored: the server assigns it.' })),
  },
  { title: 'NewWebhook' },
)
export type NewWebhook = Static<typeof NewWebhook>

export const NamedWebhook = Type.Object({ destination: Destination }, { title: 'NamedWebhook' })

export const ById = Type.Object({ id: Id })

/** The state of the endpoint; see outbound/circuit-breaker.ts. */
const Health = Type.Object({
  state: Type.Enum(['closed', 'open', 'recovering']),
  failures: Type.Integer({ description: 'Consecutive failures.' }),
  failing_since: Type.Union([Type.Integer(), Type.Null()]),
  waiting: Type.Integer({ description: 'Deliveries that have not ended.' }),
  next_probe_at: Type.Union([Type.Integer(), Type.Null()]),
  last_success_at: Type.Union([Type.Integer(), Type.Null()]),
  last_failure_at: Type.Union([Type.Integer(), Type.Null()]),
  last_error: Type.Union([Type.String(), Type.Null()]),
  is_retrying: Type.Boolean({
    description: 'A delivery waits for another attempt, also if the endpoint answers.',
  }),
})

/** A webhook in the settings of the account. */
export const WebhookSettings = Type.Object(
  {
    ...Webhook.properties,
    disable_reason: Type.Union([
      Type.Enum(['person', 'failures', 'gone', 'dead', 'uninstalled']),
      Type.Null(),
    ]),
    disabled_at: Type.Union([Type.Integer(), Type.Null()]),
    is_signed: Type.Boolean(),
    integration: Type.Union([Type.Object({ id: Type.String(), name: Type.String() }), Type.Null()]),
    health: Health,
  },
  { title: 'WebhookSettings' },
)
export type WebhookSettings = Static<typeof WebhookSettings>

export const WebhookList = Type.Object({ webhooks: Type.Array(WebhookSettings) })

export const WebhookPatch = Type.Object({
  destination: Type.Optional(Destination),
  settings: Type.Optional(Settings),
  disabled: Type.Optional(Type.Boolean()),
})
export type WebhookPatch = Static<typeof WebhookPatch>

/** The key of the signatures, shown once. */
export const SigningSecret = Type.Object({ secret: Type.String() })

const deliveryMembers = {
  id: Type.Integer(),
  state: Type.Enum(['ready', 'in_flight', 'held', 'paused', 'delivered', 'failed']),
  attempts: Type.Integer(),
  created_at: Type.Integer(),
  ended_at: Type.Union([Type.Integer(), Type.Null()]),
  next_attempt_at: Type.Union([Type.Integer(), Type.Null()], {
    description: 'Null if no time is set for another attempt.',
  }),
  request_id: Type.String({ description: 'The request that caused the change.' }),
  /** `leads[status]` */
  subject: Type.String({ description: 'The kind of the change.' }),
  last_status: Type.Union([Type.Integer(), Type.Null()]),
  last_error: Type.Union([Type.String(), Type.Null()]),
}

export const WebhookDelivery = Type.Object(deliveryMembers, { title: 'WebhookDelivery' })
export type WebhookDelivery = Static<typeof WebhookDelivery>

export const WebhookDeliveries = Type.Object({
  deliveries: Type.Array(WebhookDelivery),
  next: Type.Union([Type.Integer(), Type.Null()], { description: 'The `before` of the next page.' }),
})

export const WebhookDeliveryDetails = Type.Object(
  {
    ...deliveryMembers,
    url: Type.String(),
    headers: Type.Record(Type.String(), Type.String()),
    body: Type.String(),
    tries: Type.Array(
      Type.Object({
        attempt: Type.Integer(),
        at: Type.Integer(),
        duration_ms: Type.Integer(),
        status: Type.Union([Type.Integer(), Type.Null()]),
        error: Type.Union([Type.String(), Type.Null()]),
        answer: Type.Union([Type.String(), Type.Null()]),
      }),
    ),
  },
  { title: 'WebhookDeliveryDetails' },
)

export const DeliveryQuery = Type.Object({
  before: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
  state: Type.Optional(Type.Enum(['pending', 'delivered', 'failed'])),
})
export type DeliveryQuery = Static<typeof DeliveryQuery>

const Moment = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })

/** Ended deliveries to send again: by id, or by the time at which they were queued. */
export const Replay = Type.Object({
  ids: Type.Optional(Type.Array(Id, { minItems: 1, maxItems: 500 })),
  from: Type.Optional(Moment),
  to: Type.Optional(Moment),
  after: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: '`next` of the answer before.',
    }),
  ),
  up_to: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: '`up_to` of the answer before, so that what was sent again is not sent once more.',
    }),
  ),
  state: Type.Optional(Type.Enum(['delivered', 'failed'])),
})
export type Replay = Static<typeof Replay>

export const Replayed = Type.Object({
  replayed: Type.Integer({ description: 'Deliveries that were queued again.' }),
  next: Type.Union([Type.Integer(), Type.Null()], {
    description: 'Null if that were all; otherwise the `after` of the next request.',
  }),
  up_to: Type.Integer({ description: 'The `up_to` of the next request.' }),
})
export type Replayed = Static<typeof Replayed>

export const DeliveryPlan = Type.Object({ plan: Type.Enum(['patient', 'platform']) })

export const SampleQuery = Type.Object({ code: Code })

export const SampleBody = Type.Object({
  body: Type.Union([Type.String(), Type.Null()], {
    description: 'The form that would be sent for the latest record. Null: there is no such record.',
  }),
})
