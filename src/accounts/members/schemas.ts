import { type Static, Type } from 'typebox'
import { Self } from '../../http/hal.ts'
import { OneOf } from '../../http/published.ts'
import { Rights } from './rights.ts'

export const languages = ['en', 'es', 'ru', 'pt'] as const
export const Language = Type.Enum([...languages])

/** A non-blank text in any script, without control characters. PostgreSQL cannot store NUL. */
export const Name = (max: number) =>
  Type.String({ minLength: 1, maxLength: max, pattern: '^(?=.*\\S)[^\\u0000-\\u001f\\u007f]*$' })
export const Email = Type.String({
  minLength: 3,
  maxLength: 254,
  pattern: '^[^\\s@\\u0000-\\u001f\\u007f]+@[^\\s@\\u0000-\\u001f\\u007f]+$',
})
const PhoneNumber = Type.String({ maxLength: 40, pattern: '^[^\\u0000-\\u001f\\u007f]*$' })
/** An integer that both databases can store. */
export const Id = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
export const ById = Type.Object({ id: Id })
export const Password = Type.String({
  minLength: 12,
  maxLength: 256,
  description: 'Not a common one, and without the name or the address of the person.',
})
export const Subdomain = Type.String({ pattern: '^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$' })
const Nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Union([schema, Type.Null()])

const RequestId = Type.Union([Type.String(), Type.Integer()])
/** A batch of user ids. */
export const NamedPeople = Type.Array(Type.Object({ id: Id, request_id: Type.Optional(RequestId) }), {
  title: 'NamedPeople',
  minItems: 1,
  maxItems: 100,
})
const Named = Type.Object({ id: Type.Integer(), name: Type.String() })

/** A user in the v4 format, compatible with the platform's response. */
export const User = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    email: Type.String(),
    lang: Type.String(),
    rights: Type.Intersect([
      Rights,
      Type.Object({
        is_admin: Type.Boolean(),
        is_free: Type.Boolean(),
        is_active: Type.Boolean(),
        group_id: Nullable(Type.Integer()),
        role_id: Nullable(Type.Integer()),
      }),
    ]),
    uuid: Type.Optional(Type.String()),
    amojo_id: Type.Optional(Type.String()),
    user_rank: Type.Optional(Nullable(Type.String())),
    phone_number: Type.Optional(Nullable(Type.String())),
    request_id: Type.Optional(RequestId),
    keeps_password: Type.Optional(
      Type.Boolean({
        description:
          'The server already knows the person, so it ignores the given password. Not on the platform.',
      }),
    ),
    _links: Self,
    _embedded: Type.Optional(
      Type.Object({
        roles: Type.Optional(
          Type.Array(Type.Object({ id: Type.Integer(), name: Type.String(), _links: Self })),
        ),
        groups: Type.Optional(Type.Array(Named)),
      }),
    ),
  },
  { title: 'User' },
)
export type User = Static<typeof User>

/** Missing rights are denied. */
const MemberRights = Type.Partial(
  Type.Object({
    ...Rights.properties,
    // The platform also accepts these four inside `rights`, with the same meaning.
    is_admin: Type.Boolean(),
    is_free: Type.Boolean(),
    role_id: Nullable(Id),
    group_id: Nullable(Id),
  }),
  { title: 'MemberRights' },
)
export const NewUser = Type.Object({
  name: Name(50),
  email: Type.String({ ...Email, description: 'The person signs in with it. Unique on the server.' }),
  password: Password,
  lang: Type.Optional(Language),
  phone_number: Type.Optional(Nullable(PhoneNumber)),
  is_admin: Type.Optional(Type.Boolean()),
  role_id: Type.Optional(Nullable(Id)),
  group_id: Type.Optional(Id),
  rights: Type.Optional(MemberRights),
  request_id: Type.Optional(RequestId),
})
export type NewUser = Static<typeof NewUser>

export const UserPatch = Type.Object({
  name: Type.Optional(Name(50)),
  lang: Type.Optional(Language),
  phone_number: Type.Optional(Nullable(PhoneNumber)),
  is_admin: Type.Optional(Type.Boolean()),
  role_id: Type.Optional(Nullable(Id)),
  group_id: Type.Optional(Id),
  rights: Type.Optional(MemberRights),
})
export type UserPatch = Static<typeof UserPatch>

export const Role = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    rights: Rights,
    request_id: Type.Optional(RequestId),
    _links: Self,
    _embedded: Type.Optional(Type.Object({ users: Type.Array(Type.Object({ id: Type.Integer() })) })),
  },
  { title: 'Role' },
)
export type Role = Static<typeof Role>

export const NewRole = Type.Object({
  name: Name(255),
  rights: Type.Optional(Type.Partial(Rights)),
  request_id: Type.Optional(RequestId),
})
export type NewRole = Static<typeof NewRole>
export const RolePatch = Type.Partial(Type.Omit(NewRole, ['request_id']))
export type RolePatch = Static<typeof RolePatch>

export const Group = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    uuid: Nullable(Type.String()),
    _links: Self,
  },
  { title: 'Group' },
)
export type Group = Static<typeof Group>
export const NewGroup = Type.Object({ name: Name(255) }, { title: 'NewGroup' })
export type NewGroup = Static<typeof NewGroup>

const Forms = Type.Record(Type.String(), Type.String(), {
  description: 'By grammatical case; `default` is the usual form.',
})
const Pattern = Type.String({ description: "In the notation of PHP's `date`, such as `d.m.Y H:i`." })

/** The response of `GET /account`; optional members are present if `with` names them (V6). */
export const Account = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    subdomain: Type.String({ description: 'The first part of the host of the account.' }),
    created_at: Type.Integer(),
    created_by: Type.Integer(),
    updated_at: Type.Integer(),
    updated_by: Type.Integer(),
    current_user_id: Type.Integer({ description: 'The user whose rights the token has.' }),
    country: Type.String(),
    currency: Type.String(),
    currency_symbol: Type.String(),
    customers_mode: OneOf(['segments', 'periodicity', 'disabled']),
    is_unsorted_on: Type.Boolean(),
    mobile_feature_version: Type.Integer(),
    is_loss_reason_enabled: Type.Boolean(),
    is_helpbot_enabled: Type.Boolean(),
    is_technical_account: Type.Boolean(),
    contact_name_display_order: Type.Integer(),
    language: Type.String(),
    amojo_id: Type.Optional(Type.String()),
    uuid: Type.Optional(Type.String()),
    version: Type.Optional(Type.Integer({ description: "The version of the platform's interface." })),
    drive_url: Type.Optional(
      Type.String({ description: 'The address of the file service. With `with=drive_url`.' }),
    ),
    is_api_filter_enabled: Type.Optional(Type.Boolean()),
    entity_names: Type.Optional(
      Type.Object(
        {
          leads: Type.Record(
            Type.String(),
            Type.Object({
              gender: Type.String({ description: 'The grammatical gender: `m` or `f`.' }),
              singular_form: Forms,
              plural_form: Forms,
            }),
          ),
        },
        { description: 'The word for a lead by language. With `with=entity_names`.' },
      ),
    ),
    invoices_settings: Type.Optional(
      Type.Object({
        lang: Type.String(),
        invoices_catalog_id: Nullable(
          Type.Integer({ description: 'The list of invoices. Null: none that the person sees.' }),
        ),
      }),
    ),
    _links: Self,
    _embedded: Type.Optional(
      Type.Object({
        amojo_rights: Type.Optional(
          Type.Object({ can_direct: Type.Boolean(), can_create_groups: Type.Boolean() }),
        ),
        users_groups: Type.Optional(
          Type.Array(Type.Object({ id: Type.Integer(), name: Type.String(), uuid: Nullable(Type.String()) })),
        ),
        task_types: Type.Optional(
          Type.Array(
            Type.Object({
              id: Type.Integer(),
              name: Type.String(),
              color: Nullable(Type.String({ description: 'Always null.' })),
              icon_id: Nullable(Type.Integer()),
              code: Nullable(Type.String({ description: 'For example `FOLLOW_UP`. Null: it has none.' })),
            }),
          ),
        ),
        datetime_settings: Type.Optional(
          Type.Object({
            date_pattern: Pattern,
            short_date_pattern: Pattern,
            short_time_pattern: Pattern,
            date_format: Pattern,
            time_format: Pattern,
            timezone: Type.String({ description: 'For example `Europe/Madrid`.' }),
            timezone_offset: Type.String({ description: 'For example `+01:00`.' }),
          }),
        ),
      }),
    ),
  },
  { title: 'Account' },
)
export type Account = Static<typeof Account>

/** Country: ISO 3166 alpha-2. Currency: ISO 4217. Time zone: IANA name. */
export const AccountPatch = Type.Object({
  name: Type.Optional(Name(255)),
  language: Type.Optional(Language),
  timezone: Type.Optional(
    Type.String({ minLength: 1, maxLength: 64, description: 'For example `Europe/Madrid`.' }),
  ),
  country: Type.Optional(Type.String({ pattern: '^[A-Z]{2}$' })),
  currency: Type.Optional(Type.String({ pattern: '^[A-Z]{3}$' })),
})
export type AccountPatch = Static<typeof AccountPatch>

/** The account in the session of the web application. */
const SessionAccount = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  subdomain: Type.String(),
  url: Type.String(),
  is_admin: Type.Boolean(),
  is_paid: Type.Boolean(),
})

export const Session = Type.Object(
  {
    user: Nullable(
      Type.Object({ id: Type.Integer(), name: Type.String(), email: Type.String(), lang: Language }),
    ),
    /** Send it as X-CSRF-Token with every write. */
    csrf_token: Nullable(Type.String()),
    /** The current account of the session; on an account's own host it is that account. */
    account: Nullable(SessionAccount),
    accounts: Type.Array(SessionAccount),
    /** The effective rights of the person in that account. */
    rights: Nullable(Rights),
    /** Unix second until which secrets are shown without entering the password again. */
    confirmed_until: Nullable(Type.Integer()),
    /** The server has no account yet; the one-time link creates the first one. */
    setup_needed: Type.Boolean(),
    mode: Type.Enum(['dev', 'serve']),
  },
  { title: 'Session' },
)
export type Session = Static<typeof Session>

/** The active sessions of a person. */
export const OwnSessions = Type.Object({
  sessions: Type.Array(
    Type.Object({
      /** Of the list only: the beginning of what is stored of the session. */
      id: Type.String(),
      is_current: Type.Boolean(),
      /** Unix seconds. */
      created_at: Type.Integer(),
      /** Unix seconds, to within five minutes. */
      seen_at: Type.Integer(),
      /** The address and the browser in which the session began. */
      address: Nullable(Type.String()),
      user_agent: Nullable(Type.String()),
    }),
  ),
})
export type OwnSessions = Static<typeof OwnSessions>

export const SignIn = Type.Object({
  email: Type.String({ maxLength: 254, pattern: '^[^\\u0000]*$' }),
  password: Type.String({ maxLength: 256 }),
})
export const SessionPatch = Type.Object({ account_id: Type.Integer() })
export const PasswordConfirmation = Type.Object({ password: Type.String({ maxLength: 256 }) })
export const ProfilePatch = Type.Object({
  name: Type.Optional(Name(50)),
  lang: Type.Optional(Language),
  password: Type.Optional(Password),
})
export type ProfilePatch = Static<typeof ProfilePatch>
export const FirstSetUp = Type.Object({
  token: Type.String({ maxLength: 100 }),
  account: Type.Object({ name: Name(255), subdomain: Subdomain }),
  user: Type.Object({ name: Name(50), email: Email, password: Password, lang: Type.Optional(Language) }),
})
export type FirstSetUp = Static<typeof FirstSetUp>

/** A one-time link to set a new password. */
export const PasswordLink = Type.Object(
  { url: Type.String(), expires_at: Type.Integer() },
  { title: 'PasswordLink' },
)
export type PasswordLink = Static<typeof PasswordLink>
export const NewPassword = Type.Object({ token: Type.String({ maxLength: 100 }), password: Password })

/** An integration as an account sees it. */
export const ActingIntegration = Type.Object(
  {
    id: Type.String({
      description: 'The integration id in the account of its developer, elsewhere a handle.',
    }),
    name: Type.String(),
  },
  { title: 'ActingIntegration' },
)

/** Beside the id of a person. */
export const ByIntegration = Type.Union([ActingIntegration, Type.Null()], {
  description:
    'With `with=integration`: the integration that acted with the rights of this user; null for none.',
})

/** An entry of the audit log. */
export const AuditEntry = Type.Object(
  {
    id: Type.String(),
    at: Type.Integer(),
    user: Nullable(Named),
    integration_id: Nullable(Type.String()),
    /** The integration that acted with the rights of the person. */
    by_integration: Nullable(ActingIntegration),
    channel_id: Nullable(Type.String()),
    action: Type.String(),
    details: Type.Record(Type.String(), Type.Unknown()),
    address: Nullable(Type.String()),
    request_id: Type.String(),
  },
  { title: 'AuditEntry' },
)
export type AuditEntry = Static<typeof AuditEntry>
export const AuditPage = Type.Object({ entries: Type.Array(AuditEntry), next: Nullable(Type.String()) })
export type AuditPage = Static<typeof AuditPage>

/** A current or former member, as every member can see them. Removed members are not active. */
export const Colleague = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    group_id: Type.Integer(),
    is_active: Type.Boolean(),
  },
  { title: 'Colleague' },
)
export type Colleague = Static<typeof Colleague>
