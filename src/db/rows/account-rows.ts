import type { Flag, Json } from './column-types.ts'

export type WebhookPlan = 'patient' | 'platform'

/** An account of the platform: the hub of one company. */
export interface AccountRow {
  id: number
  uuid: string
  amojo_id: string
  subdomain: string
  name: string
  country: string
  currency: string
  currency_symbol: string
  language: string
  timezone: string
  customers_mode: string
  contact_name_display_order: number
  is_unsorted_on: Flag
  /** Whether the leads of new chats wait in the incoming stage. */
  are_chats_unsorted: Flag
  is_loss_reason_enabled: Flag
  is_helpbot_enabled: Flag
  /** How webhooks are delivered: `patient` for days, or `platform` as the platform does. */
  webhook_plan: WebhookPlan
  /** Whether requests are recorded; null: as the mode of the server does. */
  is_request_log_on: Flag | null
  request_log_days: number
  keeps_request_bodies: Flag
  /** null: paid indefinitely. */
  paid_until: number | null
  created_at: number
  created_by: number
  updated_at: number
  updated_by: number
}

/** A person who signs in; can be a member of several accounts. */
export interface UserRow {
  id: number
  uuid: string
  amojo_id: string
  email: string
  name: string
  lang: string
  phone_number: string | null
  password_hash: string
  created_at: number
  updated_at: number
}

export interface MemberRow {
  account_id: number
  user_id: number
  role_id: number | null
  group_id: number
  rights: Json
  is_admin: Flag
  is_free: Flag
  is_active: Flag
  user_rank: string | null
  /** Counts how often access was revoked. Grants and sessions of earlier epochs stay invalid (A7). */
  epoch: number
  created_at: number
  removed_at: number | null
}

/** When and by whom the access of a member was ended: everything that was granted in this epoch. */
export interface MemberEndingRow {
  account_id: number
  user_id: number
  epoch: number
  at: number
  /** Removed from the account, not only deactivated. */
  is_removal: Flag
  ended_by: number
  request_id: string
}

export interface GroupRow {
  account_id: number
  id: number
  name: string
  uuid: string | null
}

export interface RoleRow {
  account_id: number
  id: number
  name: string
  rights: Json
}

export interface TaskTypeRow {
  account_id: number
  id: number
  name: string
  color: string | null
  icon_id: number | null
  code: string | null
}

export interface SessionRow {
  /** SHA-256 of the cookie. */
  hash: Buffer
  user_id: number
  /** The current account on a host that names none. */
  account_id: number | null
  created_at: number
  seen_at: number
  /** When the password was last entered. Secrets are shown within 15 minutes of it (A11). */
  confirmed_at: number
  /** The address and the `User-Agent` with which it began; null before version 0.1. */
  address: string | null
  user_agent: string | null
}

/** A one-time link to set a new password. Only the SHA-256 of its token is stored. */
export interface PasswordLinkRow {
  user_id: number
  hash: Buffer
  account_id: number
  created_by: number
  expires_at: number
}

export interface AuditRow {
  account_id: number
  /** A ULID, which sorts by time. */
  id: string
  at: number
  user_id: number
  /** The integration that the entry is about, or the one that acted. */
  integration_id: string | null
  /** The number of the integration that acted, with the rights of the person. */
  by_integration: number | null
  /** The chat channel of the entry. */
  channel_id: string | null
  action: string
  details: Json
  address: string | null
  request_id: string
}

export interface IntegrationRow {
  /** The client id, a UUID. */
  id: string
  /** Names it in rows: short, and the same for ever. */
  number: number
  /** The developer account. */
  account_id: number
  name: string
  description: string
  redirect_uri: string
  disable_hook_url: string | null
  permissions: Json
  access: string
  duplicate_control: Flag
  multiple_sources: Flag
  has_widget: Flag
  revoke_on_reuse: Flag
  secret_hash: Buffer
  secret_sealed: Buffer
  redirect_checked_at: number | null
  redirect_failures: number
  redirect_error: string | null
  created_at: number
  created_by: number
  updated_at: number
  updated_by: number
}

export interface IntegrationIconRow {
  integration_id: string
  type: string
  bytes: Buffer
}

export interface InstallationRow {
  account_id: number
  integration_id: string
  is_active: Flag
  /** Like MemberRow.epoch: a deactivation invalidates everything granted before it. */
  epoch: number
  installed_at: number
  installed_by: number
  disabled_at: number | null
  disabled_by: number | null
  last_used_at: number | null
}

/** When and by whom an installation was disabled: everything that was granted in this epoch ended. */
export interface InstallationEndingRow {
  account_id: number
  integration_id: string
  epoch: number
  at: number
  ended_by: number
  request_id: string
}

/** The last refusal because a token or a code was sent to the address of another account. */
export interface ElsewhereColumns {
  elsewhere_at: number | null
  elsewhere_host: string | null
  elsewhere_request_id: string | null
}

export interface AuthorizationCodeRow extends ElsewhereColumns {
  hash: Buffer
  integration_id: string
  account_id: number
  user_id: number
  installation_epoch: number
  member_epoch: number
  code_challenge: string | null
  /** The permissions of its tokens; null: those that the integration has at the exchange. */
  scopes: Json | null
  issued_at: number
  expires_at: number
  consumed_at: number | null
  grant_id: string | null
  issued_request_id: string | null
  consumed_request_id: string | null
}

/** The result of one consent: the family of its token pairs. */
export interface GrantRow {
  /** A UUID. */
  id: string
  account_id: number
  integration_id: string
  user_id: number
  installation_epoch: number
  member_epoch: number
  scopes: Json
  /** The name of a long-lived token; null for a consent. */
  long_lived: string | null
  created_at: number
  revoked_at: number | null
  revoked_for: string | null
  /** 0 if no person did it. */
  revoked_by: number | null
  revoked_request_id: string | null
}

export interface TokenPairRow extends ElsewhereColumns {
  grant_id: string
  generation: number
  access_hash: Buffer
  access_expires_at: number
  refresh_hash: Buffer | null
  refresh_expires_at: number | null
  issued_at: number
  /** The pair, encrypted with its parent's refresh token. null: used, or without a parent. */
  sealed: Buffer | null
  issued_request_id: string | null
  /** 0: it is not known when the pair was first used. */
  first_used_at: number | null
  first_used_request_id: string | null
  /** Can be a minute old (A19). */
  last_used_at: number | null
  last_used_request_id: string | null
  /** The last request that changed the times of the pair, by the test helpers. */
  altered_request_id: string | null
}

/** A fault that the test helpers set for the next refreshes of a consent. */
export interface TokenFaultRow {
  account_id: number
  grant_id: string
  kind: 'lost_answer' | 'race'
  expires_at: number
  /** Refreshes that have arrived at a race. */
  arrived: number
}

export interface ConsentFormRow {
  hash: Buffer
  session_hash: Buffer
  integration_id: string
  /** As it was in the URL, with percent-encoding, so that it is returned unchanged. */
  state: string | null
  mode: string | null
  code_challenge: string | null
  /** The permissions that the page showed; null for a form from before they were stored. */
  permissions: Json | null
  expires_at: number
}

export interface SourceRow {
  account_id: number
  id: number
  integration_id: string
  name: string
  pipeline_id: number | null
  external_id: string
  is_default: Flag
  origin_code: string | null
  services: Json
}

/** See outbound/deliveries.ts for the meaning of each state. */
export type DeliveryState = 'ready' | 'in_flight' | 'held' | 'paused' | 'delivered' | 'failed'

export interface DeliveryRow {
  id: number
  account_id: number
  /** Names the owner, who is informed of the outcome. */
  kind: string
  /** The owner's key, to find its deliveries. */
  subject: string
  /** Deliveries with the same key are sent in order, one at a time; null: in any order. */
  ordering_key: string | null
  /** The circuit breaker that the delivery shares with others; null: none. */
  circuit: string | null
  /** Scheme, host and port of `url`. */
  endpoint: string
  method: string
  url: string
  headers: Json
  body: string | null
  /** The row of `delivery_bodies` with the body, if several deliveries share it. */
  body_id: number | null
  state: DeliveryState
  attempts: number
  /** `ready`: when it is due. `in_flight`: when its lease ends. Otherwise without meaning. */
  next_attempt_at: number
  /** Identifies the lease. */
  leased_until: number | null
  request_id: string
  created_at: number
  /** Null until it is delivered or has failed. */
  ended_at: number | null
  /** `traceparent` and `tracestate` that the attempts continue; null: they follow from `request_id` (tracing/). */
  trace_context: string | null
}

/** A body that several deliveries send. */
export interface DeliveryBodyRow {
  id: number
  account_id: number
  body: string
  created_at: number
}

/** Filters and columns of a list, saved under a name. */
export interface SavedViewRow {
  account_id: number
  id: number
  /** The list: `leads`, `tasks`, `lists/<id>`. */
  page: string
  name: string
  /** The query string of the page. */
  search: string
  is_shared: Flag
  created_by: number
  created_at: number
  updated_at: number
}

export interface DeliveryAttemptRow {
  delivery_id: number
  attempt: number
  at: number
  duration_ms: number
  status: number | null
  error: string | null
  answer: string | null
}
