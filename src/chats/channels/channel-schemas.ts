import { type Static, Type } from 'typebox'
import { Name } from '../../accounts/members/schemas.ts'

const Nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Union([schema, Type.Null()])

/** One week. */
const MOST_OVERLAP = 7 * 86_400
export const OVERLAP = 86_400

/** The settings of a channel (C1). */
const fields = {
  name: Name(255),
  /** May contain `:scope_id`. */
  callback_url: Type.String({ minLength: 1, maxLength: 2048 }),
  integration_id: Nullable(Type.String({ minLength: 1, maxLength: 64 })),
  protocol: Type.Enum(['spec', 'live']),
  delivery: Type.Enum(['retry', 'once']),
}

export const NewChannel = Type.Object({
  name: fields.name,
  callback_url: fields.callback_url,
  integration_id: Type.Optional(fields.integration_id),
  protocol: Type.Optional(fields.protocol),
  delivery: Type.Optional(fields.delivery),
})
export type NewChannel = Static<typeof NewChannel>
export const ChannelPatch = Type.Partial(NewChannel)
export type ChannelPatch = Static<typeof ChannelPatch>

/** A channel as its developer account sees it. The secret is not part of it: see ChannelKeys. */
export const Channel = Type.Object(
  {
    id: Type.String(),
    /** The provider names the channel's bot with it (`sender.ref_id`). */
    bot_id: Type.String(),
    ...fields,
    state: Type.Enum(['active', 'stopped']),
    stop_reason: Nullable(Type.Enum(['gone', 'dead'])),
    stopped_at: Nullable(Type.Integer()),
    /** When the secret before the last rotation expires. */
    previous_secret_until: Nullable(Type.Integer()),
    /** How the callback has responded. */
    health: Type.Object({
      failures: Type.Integer(),
      failing_since: Nullable(Type.Integer()),
      opens_at: Nullable(Type.Integer()),
      last_success_at: Nullable(Type.Integer()),
      last_failure_at: Nullable(Type.Integer()),
      last_error: Nullable(Type.String()),
      /** Messages that are not delivered yet. */
      waiting: Type.Integer(),
    }),
    /** Connected accounts. */
    connections: Type.Integer(),
    /** Whether this account is connected. */
    is_connected: Type.Boolean(),
    created_at: Type.Integer(),
    created_by: Type.Integer(),
    updated_at: Type.Integer(),
    updated_by: Type.Integer(),
  },
  { title: 'Channel' },
)
export type Channel = Static<typeof Channel>
export const ChannelList = Type.Object({ channels: Type.Array(Channel) })

/** Requires the password again (A11). */
export const ChannelKeys = Type.Object(
  {
    channel_id: Type.String(),
    secret: Type.String(),
    previous_until: Nullable(Type.Integer()),
  },
  { title: 'ChannelKeys' },
)
export type ChannelKeys = Static<typeof ChannelKeys>
export const SavedChannel = Type.Object({ channel: Channel, keys: ChannelKeys }, { title: 'SavedChannel' })
export type SavedChannel = Static<typeof SavedChannel>

export const Rotation = Type.Object({
  /** How long the old secret stays valid beside the new one; 0 ends it at once. */
  overlap_seconds: Type.Optional(Type.Integer({ minimum: 0, maximum: MOST_OVERLAP })),
})

export const ConnectionList = Type.Object({
  connections: Type.Array(
    Type.Object({
      account_id: Type.Integer(),
      account_name: Type.String(),
      subdomain: Type.String(),
      scope_id: Type.String(),
      /** Null: the provider gave none, so the connection has the name of the channel. */
      title: Nullable(Type.String()),
      hook_api_version: Type.String(),
      is_time_window_disabled: Type.Boolean(),
      connected_at: Type.Integer(),
    }),
  ),
})
export type ConnectionList = Static<typeof ConnectionList>

const AmojoId = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'The `amojo_id` of the account.',
})

/** The body with which a provider connects an account (C3). */
export const Connect = Type.Object({
  account_id: AmojoId,
  title: Type.Optional(
    Nullable(
      Type.String({
        maxLength: 255,
        description: 'The name of the channel in the account. Null is as absent. Default: its own name.',
      }),
    ),
  ),
  hook_api_version: Type.Optional(Nullable(Type.Enum(['v1', 'v2']))),
  is_time_window_disabled: Type.Optional(Nullable(Type.Boolean())),
})
export type Connect = Static<typeof Connect>
export const Disconnect = Type.Object({ account_id: AmojoId }, { title: 'Disconnect' })

export const Connected = Type.Object({
  account_id: Type.String({ description: 'The `amojo_id` of the account.' }),
  scope_id: Type.String({ description: 'Names the channel and the account in all other addresses.' }),
  title: Type.String({ description: 'The name of the channel in the account.' }),
  hook_api_version: Type.String(),
  is_time_window_disabled: Type.Boolean(),
  bot_id: Type.String({
    description: "The id of the channel's bot, for `sender.ref_id`. Not on the platform.",
  }),
})
export type Connected = Static<typeof Connected>

/** A call of the chat API that the API reference is about to send (Q40). */
export const UnsignedCall = Type.Object({
  method: Type.Enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
  /** Without the query. */
  path: Type.String({ maxLength: 1_000 }),
  /** The exact text, or an empty one. */
  body: Type.String({ maxLength: 65_536 }),
})
export type UnsignedCall = Static<typeof UnsignedCall>
export const SignedHeaders = Type.Object({ headers: Type.Record(Type.String(), Type.String()) })
