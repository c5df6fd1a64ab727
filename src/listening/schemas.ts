import { type Static, Type } from 'typebox'

const Nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Union([schema, Type.Null()])

export const ListenQuery = Type.Object({
  session: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9_-]{8,64}$',
      description:
        'A name that the listener chooses: 8 to 64 letters, digits, `-` and `_`. A session also receives changes to which no webhook is ' +
        'subscribed. It ends a quarter of an hour after it was read for the last time; then the same name begins a new one.',
    }),
  ),
  events: Type.Optional(
    Type.String({
      maxLength: 2_000,
      pattern: '^[a-z_]+(,[a-z_]+)*$',
      description:
        'Only changes with these codes of webhooks, separated by commas, from a subscription of the session. `all` is every code.',
    }),
  ),
  channel: Type.Optional(
    Type.String({
      maxLength: 400,
      pattern: '^[0-9a-f-]{36}(,[0-9a-f-]{36})*$',
      description: 'Only callbacks of these chat channels, with `events` beside them.',
    }),
  ),
  after: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description:
        'The `next` of the previous page. Without it, the first page is empty and says where to begin.',
    }),
  ),
  limit: Type.Integer({ minimum: 1, maximum: 250, default: 50 }),
})
export type ListenQuery = Static<typeof ListenQuery>

export const HelperListenQuery = Type.Object({
  ...ListenQuery.properties,
  account: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      pattern: '^[^\\u0000]*$',
      description: 'The subdomain of the account, if the host does not name it.',
    }),
  ),
})

export const ListenSession = Type.Object(
  {
    account: Type.String({ description: 'The subdomain.' }),
    session: Nullable(Type.String({ description: 'The name of the session. Null: there is none.' })),
    is_resumed: Type.Boolean({ description: 'Whether the session was there before.' }),
    secret: Nullable(
      Type.String({
        description: 'Signs the requests of the session as the secret of a webhook does. It stays the same.',
      }),
    ),
  },
  { title: 'ListenSession' },
)
export type ListenSession = Static<typeof ListenSession>

export const HeardRequest = Type.Object(
  {
    id: Type.Integer({ description: 'Rises with each request.' }),
    kind: Type.String({
      description:
        '`webhook`, `webhook_listener`, `chat_message`, `chat_action`, `disable_hook` or `automation`.',
    }),
    event: Nullable(Type.String({ description: 'What a webhook announces, such as `leads[status]`.' })),
    queued_at: Type.Integer({ description: 'Unix seconds.' }),
    request_id: Type.String({ description: 'The request that caused it.' }),
    method: Type.String(),
    url: Nullable(
      Type.String({ description: 'Where the server sends it; null for a request of the session only.' }),
    ),
    headers: Type.Record(Type.String(), Type.String()),
    body: Type.String({ description: 'Its bytes as UTF-8.' }),
  },
  { title: 'HeardRequest' },
)
export type HeardRequest = Static<typeof HeardRequest>

export const HeardPage = Type.Object(
  {
    session: ListenSession,
    requests: Type.Array(HeardRequest),
    next: Type.Integer({ description: 'The `after` of the next page.' }),
  },
  { title: 'HeardPage' },
)
export type HeardPage = Static<typeof HeardPage>
