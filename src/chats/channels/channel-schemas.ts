import { type Static, Type } from 'typebox'
import { Name } from '../../accounts/schemas.ts'

const Nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Union([schema, Type.Null()])

/** A week: who has not changed his configuration by then has forgotten it. */
const MOST_OVERLAP = 7 * 86_400
export const OVERLAP = 86_400

/** The members that people set (C1). */
const fields = {
  name: Name(255),
  /** May hold `:scope_id`. */
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

/** A channel in its developer account. The secret is not in it: see ChannelKeys. */
export const Channel = Type.Object({
  id: Type.String(),
  /** By which the provider names the channel's bot (`sender.ref_id`). */
  bot_id: Type.String(),
  ...fields,
  state: Type.Enum(['active', 'stopped']),
  stop_reason: Nullable(Type.Enum(['gone', 'dead'])),
  stopped_at: Nullable(Type.Integer()),
  /** While the secret before the last rotation is good. */
  previous_secret_until: Nullable(Type.Integer()),
  /** How the callback has been answering. */
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
  /** Accounts that are connected. */
  connections: Type.Integer(),
  /** Whether this account is. */
  is_connected: Type.Boolean(),
  created_at: Type.Integer(),
  created_by: Type.Integer(),
  updated_at: Type.Integer(),
  updated_by: Type.Integer(),
})
export type Channel = Static<typeof Channel>
export const ChannelList = Type.Object({ channels: Type.Array(Channel) })

/** Shown behind a re-entered password only (A11). */
export const ChannelKeys = Type.Object({
  channel_id: Type.String(),
  secret: Type.String(),
  previous_until: Nullable(Type.Integer()),
})
export type ChannelKeys = Static<typeof ChannelKeys>
export const SavedChannel = Type.Object({ channel: Channel, keys: ChannelKeys })
export type SavedChannel = Static<typeof SavedChannel>

export const Rotation = Type.Object({
  /** For so long the old secret stays good beside the new one; 0 ends it at once. */
  overlap_seconds: Type.Optional(Type.Integer({ minimum: 0, maximum: MOST_OVERLAP })),
})

export const ConnectionList = Type.Object({
  connections: Type.Array(
    Type.Object({
      account_id: Type.Integer(),
      account_name: Type.String(),
      subdomain: Type.String(),
      scope_id: Type.String(),
      title: Nullable(Type.String()),
      hook_api_version: Type.String(),
      is_time_window_disabled: Type.Boolean(),
      connected_at: Type.Integer(),
    }),
  ),
})
export type ConnectionList = Static<typeof ConnectionList>

const AmojoId = Type.String({ minLength: 1, maxLength: 64 })

/** What a provider sends to connect an account (C3). */
export const Connect = Type.Object({
  account_id: AmojoId,
  title: Type.Optional(Type.String({ maxLength: 255 })),
  hook_api_version: Type.Optional(Type.Enum(['v1', 'v2'])),
  is_time_window_disabled: Type.Optional(Type.Boolean()),
})
export type Connect = Static<typeof Connect>
export const Disconnect = Type.Object({ account_id: AmojoId }, { title: 'Disconnect' })

export const Connected = Type.Object({
  account_id: Type.String(),
  scope_id: Type.String(),
  title: Nullable(Type.String()),
  hook_api_version: Type.String(),
  is_time_window_disabled: Type.Boolean(),
  /** By which the provider names the channel's bot (ours). */
  bot_id: Type.String(),
})
export type Connected = Static<typeof Connected>
