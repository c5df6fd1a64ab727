import type { Flag, Json } from './column-types.ts'

/** A person who follows a card. */
export interface SubscriptionRow {
  account_id: number
  entity_type: string
  entity_id: number
  user_id: number
  created_at: number
}

/** A segment of customers. */
export interface SegmentRow {
  account_id: number
  id: number
  name: string
  /** Without `#`. */
  color: string
  /** Ids of price types; stored as they were sent. */
  price_types: Json
  /** The values of its custom fields, as `field_values` stores those of records. */
  field_values: Json
  /** The query of a list of customers whose records are its members; null: members are chosen by hand. */
  filter: string | null
  created_by: number
  created_at: number
  updated_at: number
}

export interface SegmentMemberRow {
  account_id: number
  segment_id: number
  entity_id: number
  /** The filter of the segment chose the customer. */
  is_computed: Flag
}

/** A call that people with an open page are to see. Deleted after an hour. */
export interface CallNoticeRow {
  account_id: number
  /** A ULID. */
  id: string
  phone: string
  /** The record with this number; null if there is none. */
  entity_type: string | null
  entity_id: number | null
  /** The ids of the users who see it; null: everybody. */
  users: Json | null
  created_at: number
}

/** The widget of an integration, which its developers describe. */
export interface WidgetRow {
  id: number
  integration_id: string
  /** Unique on the server, because clients name a widget by it. */
  code: string
  /** Version, settings and properties. */
  manifest: Json
  created_at: number
  updated_at: number
}

/** A widget that an account has installed. */
export interface WidgetInstallationRow {
  account_id: number
  widget_id: number
  /** The sealed settings. */
  settings: Buffer
  installed_by: number
  installed_at: number
  updated_at: number
}
