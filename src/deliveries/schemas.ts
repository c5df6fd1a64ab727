import { type Static, type TSchema, Type } from 'typebox'
import { deliveryKinds, listedStates } from './kind-types.ts'

const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])
const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
const Moment = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description }))

export const ById = Type.Object({ id: Id })

const Receiver = Type.String({
  pattern: '^((webhook|automation):[1-9][0-9]{0,14}|(channel|integration):[0-9a-zA-Z-]{1,64})$',
  description:
    'The receiver: `webhook:12`, `channel:` and its id, `automation:` and the id of a rule, or `integration:` and its id, ' +
    'for the disable hook.',
})

/** The filter of a list of deliveries. */
const filters = {
  account: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description: 'The subdomain of the account, if the host does not name it.',
    }),
  ),
  kind: Type.Optional(Type.Enum([...deliveryKinds], { type: 'string', description: 'What is sent.' })),
  receiver: Type.Optional(Receiver),
  integration: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'The id of the integration whose webhooks, channels and disable hook receive them.',
    }),
  ),
  state: Type.Optional(
    Type.Enum([...listedStates], { type: 'string', description: 'Pending, or how they ended.' }),
  ),
}

export const DeliveryQuery = Type.Object({
  ...filters,
  before: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Only older deliveries than this id: the `next` of the previous page.',
    }),
  ),
  limit: Type.Integer({ minimum: 1, maximum: 250, default: 50 }),
})
export type DeliveryQuery = Static<typeof DeliveryQuery>

export const AccountQuery = Type.Object({ account: filters.account })

const members = {
  id: Type.Integer(),
  kind: Type.String({
    description: 'What is sent: `webhook`, `chat_message`, `chat_action`, `automation` or `disable_hook`.',
  }),
  event: Nullable(
    Type.String({ description: 'Of a webhook: the kind of the change, for example `leads[add]`.' }),
  ),
  receiver: Nullable(Type.String({ description: 'The name of the receiver, as in the filter.' })),
  receiver_name: Nullable(Type.String({ description: 'null: the receiver does not exist any more.' })),
  integration_id: Nullable(Type.String()),
  method: Type.String(),
  url: Type.String({ description: 'The address when it was queued, without secrets.' }),
  state: Type.Enum(['ready', 'in_flight', 'held', 'paused', 'delivered', 'failed'], {
    description:
      '`ready`: due at `next_attempt_at`. `in_flight`: being sent. `held`: waits for one that must arrive before it. ' +
      '`paused`: the receiver does not answer. `delivered`: answered with a 2xx. `failed`: given up.',
  }),
  attempts: Type.Integer({ description: 'The number of attempts so far.' }),
  created_at: Type.Integer(),
  ended_at: Nullable(Type.Integer()),
  next_attempt_at: Nullable(Type.Integer({ description: 'null: no time is set for another attempt.' })),
  request_id: Type.String({ description: 'The request that caused it.' }),
  last_status: Nullable(Type.Integer()),
  last_error: Nullable(Type.String()),
}

export const Delivery = Type.Object(members, { title: 'Delivery' })
export type Delivery = Static<typeof Delivery>

export const DeliveryPage = Type.Object(
  {
    deliveries: Type.Array(Delivery),
    next: Nullable(Type.Integer({ description: 'The `before` of the next page; null at the end.' })),
  },
  { title: 'DeliveryPage' },
)
export type DeliveryPage = Static<typeof DeliveryPage>

const Attempt = Type.Object({
  attempt: Type.Integer({ description: 'The number of the attempt, from 1.' }),
  at: Type.Integer({ description: 'Unix seconds.' }),
  duration_ms: Type.Integer(),
  status: Nullable(Type.Integer({ description: 'The HTTP status. null: there was no answer.' })),
  error: Nullable(Type.String({ description: 'Why there was no answer.' })),
  answer: Nullable(Type.String({ description: 'At most 4 KiB.' })),
})

export const DeliveryDetails = Type.Object(
  {
    ...members,
    can_be_sent_again: Type.Boolean({
      description: 'Whether it has ended, and its receiver would not show it twice.',
    }),
    headers: Type.Unsafe<Record<string, string>>({
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'Without those that are computed at each attempt, such as signatures.',
    }),
    body: Nullable(Type.String({ description: 'Without secrets. null: it is made at each attempt.' })),
    tries: Type.Array(Attempt, { description: 'Every attempt, the first one first.' }),
  },
  { title: 'DeliveryDetails' },
)
export type DeliveryDetails = Static<typeof DeliveryDetails>

export const Receivers = Type.Object({
  receivers: Type.Array(
    Type.Object(
      {
        receiver: Type.String(),
        name: Type.String({ description: 'Empty for a rule, which has no name.' }),
        integration_id: Nullable(Type.String()),
      },
      { title: 'DeliveryReceiver' },
    ),
  ),
})

/** Ended deliveries of a receiver to send again. With a misspelt member, more would be sent than the caller wants. */
export const ReplayDraft = Type.Object(
  {
    receiver: Receiver,
    from: Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Those that were queued since this time.',
    }),
    to: Moment('Those that were queued up to this time.'),
    after: Moment('The `next` of the answer before.'),
    up_to: Moment('The `up_to` of the answer before, so that what was sent again is not sent once more.'),
    state: Type.Optional(Type.Enum(['delivered', 'failed'], { type: 'string' })),
  },
  { additionalProperties: false },
)
export type ReplayDraft = Static<typeof ReplayDraft>

export const Replayed = Type.Object({
  replayed: Type.Integer({ description: 'Deliveries that were queued again.' }),
  next: Nullable(
    Type.Integer({ description: 'null: those were all; otherwise the `after` of the next request.' }),
  ),
  up_to: Type.Integer({ description: 'The `up_to` of the next request.' }),
})
export type Replayed = Static<typeof Replayed>
