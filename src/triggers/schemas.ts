import { type Static, Type } from 'typebox'
import { Permission } from '../integrations/registry/schemas.ts'

const Nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Union([schema, Type.Null()])
const Word = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, pattern: '^[^\\u0000]*$', description })

export const TriggerQuery = Type.Object({
  account: Type.Optional(Word(255, 'The subdomain of the account, if the host does not name it.')),
})

export const TriggerBody = Type.Object({
  type: Word(100, 'A type of event, a code of webhooks, `chat_callback`, `chat_reaction` or `disable_hook`.'),
  set: Type.Optional(
    Type.Record(
      Type.String({ maxLength: 100 }),
      Type.Union([Type.String({ maxLength: 10_000, pattern: '^[^\\u0000]*$' }), Type.Number()]),
      {
        maxProperties: 30,
        description: 'Members of the action. What is not set is made, chosen or has its usual value.',
      },
    ),
  ),
  integration: Type.Optional(
    Word(100, 'The installed integration that acts; the oldest one of the account if it is not given.'),
  ),
  user: Type.Optional(
    Word(254, 'The id or e-mail of the person whose rights it has; the one who installed the integration.'),
  ),
})
export type TriggerBody = Static<typeof TriggerBody>

export const CausedEvent = Type.Object({
  id: Type.String(),
  type: Type.String(),
  entity_type: Type.String(),
  entity_id: Type.Integer(),
})
export type CausedEvent = Static<typeof CausedEvent>

export const CausedDelivery = Type.Object({
  id: Type.String({ description: 'The `webhook-id` of its requests.' }),
  kind: Type.String(),
  event: Nullable(Type.String({ description: 'What a webhook announces, such as `leads[status]`.' })),
  endpoint: Type.String({ description: 'Scheme, host and port of the receiver.' }),
})
export type CausedDelivery = Static<typeof CausedDelivery>

export const Triggered = Type.Object(
  {
    type: Type.String(),
    requests: Type.Array(
      Type.Object({
        method: Type.String(),
        path: Type.String(),
        status: Type.Integer({ description: 'The HTTP status of the answer.' }),
        request_id: Type.String(),
      }),
      { description: 'What was sent, in its order.' },
    ),
    made: Type.Record(Type.String(), Type.Union([Type.Integer(), Type.String()]), {
      description: 'The ids of what was made.',
    }),
    events: Type.Array(CausedEvent, { description: 'The events that were recorded, at most 100.' }),
    deliveries: Type.Array(CausedDelivery, {
      description: 'What the server sends because of it, at most 100.',
    }),
  },
  { title: 'Triggered' },
)
export type Triggered = Static<typeof Triggered>

export const TriggerList = Type.Object({
  triggers: Type.Array(
    Type.Object(
      {
        type: Type.String(),
        summary: Type.String(),
        set: Type.Record(Type.String(), Nullable(Type.Union([Type.String(), Type.Number()])), {
          description: 'The members and their usual values; null for what is made or chosen.',
        }),
        permissions: Type.Array(Permission, { description: 'What the integration needs besides `crm`.' }),
      },
      { title: 'Trigger' },
    ),
  ),
})
export type TriggerList = Static<typeof TriggerList>
