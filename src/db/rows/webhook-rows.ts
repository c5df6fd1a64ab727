import type { Flag, Json } from './column-types.ts'

/** A subscription of an address to changes of the account. */
export interface WebhookRow {
  account_id: number
  id: number
  /** The URL, unique in the account and compared as it was written. */
  destination: string
  /** The codes of the subscribed changes; see webhooks/webhook-types.ts. */
  settings: Json
  sort: number
  is_disabled: Flag
  /** `person`, `failures`, `gone`, `dead` or `uninstalled`; null while it is enabled. */
  disable_reason: string | null
  disabled_at: number | null
  /** The times of the latest failed attempts, at most 101, the oldest first. */
  recent_failures: Json
  /** The sealed key of the signatures; null: the requests are not signed. */
  signing_secret: Buffer | null
  /** The integration that subscribed; null: a person in the web application. */
  integration_id: string | null
  created_by: number
  created_at: number
  updated_at: number
}

/** A record that was announced together with others. */
export interface WebhookOrderRow {
  account_id: number
  /** The kind and id of the record: `leads 12`. */
  record: string
  /**
   * The ordering keys of those deliveries by the id of the webhook. Later deliveries of the record share the key until the
   * earlier ones have ended.
   */
  ordering_keys: Json
  created_at: number
}

/** The changes of a transaction, until they are queued as deliveries. */
export interface WebhookAnnouncementRow {
  id: number
  account_id: number
  request_id: string
  /** See webhooks/announce.ts. */
  changes: Json
  created_at: number
  /** See DeliveryRow. */
  trace_context: string | null
}

/** A subscription that receives webhooks over a stream and not at an address. It ends when nobody reads it any more. */
export interface WebhookListenerRow {
  account_id: number
  /** From the ids of webhooks. */
  id: number
  /** The name that the listener has chosen. */
  session: string
  /** The codes of the subscribed changes. */
  codes: Json
  /** Whether it receives only changes to which no webhook is subscribed. */
  is_for_rest: Flag
  expires_at: number
  created_at: number
}
