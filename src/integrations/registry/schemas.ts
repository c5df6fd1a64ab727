import { type Static, Type } from 'typebox'
import { Name } from '../../accounts/members/schemas.ts'

const Nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Union([schema, Type.Null()])

/** The permissions that an integration can request (A12); the tokens carry them as `scopes`. */
export const permissions = [
  'crm',
  'notifications',
  'files',
  'files_delete',
  'push_notifications',
  'chats',
] as const
export const Permission = Type.Enum([...permissions])
export type Permission = Static<typeof Permission>

/** The members that people set; the bounds are those of the specification, Resources and fields: Integration. */
const fields = {
  name: Name(255),
  description: Type.String({ maxLength: 65000 }),
  redirect_uri: Type.String({ minLength: 1, maxLength: 2048 }),
  disable_hook_url: Nullable(Type.String({ minLength: 1, maxLength: 2048 })),
  permissions: Type.Array(Permission, { maxItems: permissions.length, uniqueItems: true }),
  /** private: for the developer account alone; public: other accounts may install it too. */
  access: Type.Enum(['private', 'public']),
  duplicate_control: Type.Boolean(),
  multiple_sources: Type.Boolean(),
  has_widget: Type.Boolean(),
  revoke_on_reuse: Type.Boolean(),
}

export const NewIntegration = Type.Object({
  name: fields.name,
  redirect_uri: fields.redirect_uri,
  description: Type.Optional(fields.description),
  disable_hook_url: Type.Optional(fields.disable_hook_url),
  permissions: Type.Optional(fields.permissions),
  access: Type.Optional(fields.access),
  duplicate_control: Type.Optional(fields.duplicate_control),
  multiple_sources: Type.Optional(fields.multiple_sources),
  has_widget: Type.Optional(fields.has_widget),
  revoke_on_reuse: Type.Optional(fields.revoke_on_reuse),
})
export type NewIntegration = Static<typeof NewIntegration>
export const IntegrationPatch = Type.Partial(NewIntegration)
export type IntegrationPatch = Static<typeof IntegrationPatch>

/** The integration window of the developer account. The secret is not in it: see Keys. */
export const Integration = Type.Object(
  {
    id: Type.String(),
    ...fields,
    icon_url: Nullable(Type.String()),
    /** Whether the redirect URI answers (A12). null: not checked yet. */
    redirect_available: Nullable(Type.Boolean()),
    redirect_checked_at: Nullable(Type.Integer()),
    redirect_error: Nullable(Type.String()),
    /** Accounts in which it is installed and active. */
    installed_in: Type.Integer(),
    created_at: Type.Integer(),
    created_by: Type.Integer(),
    updated_at: Type.Integer(),
    updated_by: Type.Integer(),
  },
  { title: 'Integration' },
)
export type Integration = Static<typeof Integration>
export const IntegrationList = Type.Object({ integrations: Type.Array(Integration) })

/** Shown behind a re-entered password only (A11). */
export const Keys = Type.Object({ client_id: Type.String(), client_secret: Type.String() }, { title: 'Keys' })
export type Keys = Static<typeof Keys>

export const Code = Type.Object({ code: Type.String(), expires_at: Type.Integer() }, { title: 'Code' })
export type Code = Static<typeof Code>

/** Saving a new integration generates its keys and its first authorization code (A21). */
export const SavedIntegration = Type.Object({ integration: Integration, keys: Keys, code: Code })
export type SavedIntegration = Static<typeof SavedIntegration>

export const Grant = Type.Object(
  {
    id: Type.String(),
    user: Type.Object({ id: Type.Integer(), name: Type.String() }),
    /** The name of a long-lived token; null for tokens that came through consent. */
    long_lived: Nullable(Type.String()),
    scopes: Type.Array(Type.String()),
    created_at: Type.Integer(),
    expires_at: Nullable(Type.Integer()),
  },
  { title: 'Grant' },
)
export type Grant = Static<typeof Grant>

/** An integration as the account that installed it sees it. */
export const Installation = Type.Object(
  {
    integration: Type.Object({
      /** The integration id in the developer account; elsewhere a handle, which only these addresses understand. */
      id: Type.String(),
      name: Type.String(),
      /** Sanitised HTML. */
      description: Type.String(),
      icon_url: Nullable(Type.String()),
      access: fields.access,
      permissions: fields.permissions,
      developer: Type.Object({ name: Type.String() }),
      /** Whether it was made in this very account. */
      is_own: Type.Boolean(),
    }),
    is_active: Type.Boolean(),
    installed_at: Type.Integer(),
    installed_by: Nullable(Type.Object({ id: Type.Integer(), name: Type.String() })),
    disabled_at: Nullable(Type.Integer()),
    disabled_by: Nullable(Type.Object({ id: Type.Integer(), name: Type.String() })),
    /** To the second in the process that was called; other processes know it within a minute. */
    last_used_at: Nullable(Type.Integer()),
    grants: Type.Array(Grant),
  },
  { title: 'Installation' },
)
export type Installation = Static<typeof Installation>
export const InstallationList = Type.Object({ installations: Type.Array(Installation) })
/** `client_id` is `integration.id` of the installation, or the id of an own integration. */
export const NewInstallation = Type.Object({ client_id: Type.String({ maxLength: 64 }) })

export const NewLongLivedToken = Type.Object({
  name: Name(255),
  days: Type.Integer({ minimum: 1, maximum: 1826 }),
})
const single = { access_token: Type.String(), expires_at: Type.Integer() }
export const LongLivedToken = Type.Object(single, { title: 'LongLivedToken' })
/** For the API reference (Q39). */
export const ShortLivedToken = Type.Object(single, { title: 'ShortLivedToken' })

export const ConsentQuery = Type.Object({
  client_id: Type.String({ maxLength: 64 }),
  state: Type.Optional(Type.String({ maxLength: 8192 })),
  mode: Type.Optional(Type.String({ maxLength: 32 })),
  redirect_uri: Type.Optional(Type.String({ maxLength: 2048 })),
  code_challenge: Type.Optional(Type.String({ maxLength: 128 })),
  code_challenge_method: Type.Optional(Type.String({ maxLength: 16 })),
})
export type ConsentQuery = Static<typeof ConsentQuery>

/** The content of the consent page, and the one-time token that its form sends back (A8). */
export const Consent = Type.Object(
  {
    form_token: Type.String(),
    mode: Type.Enum(['page', 'popup', 'post_message']),
    integration: Type.Object({
      name: Type.String(),
      description: Type.String(),
      icon_url: Nullable(Type.String()),
      permissions: fields.permissions,
      access: fields.access,
      developer: Type.Object({ name: Type.String() }),
      redirect_host: Type.String(),
    }),
    accounts: Type.Array(
      Type.Object({
        id: Type.Integer(),
        name: Type.String(),
        subdomain: Type.String(),
        host: Type.String(),
        is_installed: Type.Boolean(),
      }),
    ),
    /** Faults that `serve` would refuse, and `dev` only shows. */
    warnings: Type.Array(Type.Enum(['redirect_uri_unavailable', 'redirect_uri_not_https'])),
  },
  { title: 'Consent' },
)
export type Consent = Static<typeof Consent>
