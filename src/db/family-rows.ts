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
