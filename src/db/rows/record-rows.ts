import type { Flag, Json } from './column-types.ts'

/** A lead, contact, company, customer or list element. Ids are unique across all kinds. */
export interface EntityRow {
  account_id: number
  entity_type: string
  id: number
  /** The list of an element; null for other kinds. */
  catalog_id: number | null
  name: string
  /** The sort key of the name, see entities/records/orders.ts. */
  name_key: string
  first_name: string | null
  last_name: string | null
  responsible_user_id: number
  created_by: number
  updated_by: number
  /** The integrations that created it and changed it last, by their numbers, with the rights of these people. */
  created_by_integration: number | null
  updated_by_integration: number | null
  created_at: number
  updated_at: number
  is_deleted: Flag
  /** A lead in the incoming stage, or a contact or company that no list shows until such a lead is accepted. */
  is_unsorted: Flag
  /** The survivor if the record was merged into another one; then it cannot be restored. */
  merged_into: number | null
  closest_task_at: number | null
  /** A whole number, for sums, filters, sorting and events. */
  price: number | null
  /** The price as it was written if it has a fraction; null otherwise, as of the other amounts (R24). */
  price_with_minor_units: number | null
  pipeline_id: number | null
  /** The stage of a lead or a customer. */
  status_id: number | null
  loss_reason_id: number | null
  source_id: number | null
  closed_at: number | null
  next_price: number | null
  next_price_with_minor_units: number | null
  next_date: number | null
  periodicity: number | null
  ltv: number | null
  ltv_with_minor_units: number | null
  purchases_count: number | null
  bonus_points: number | null
}

/** The search index: words of the record's name and fields, in lower case. */
export interface SearchWordRow {
  account_id: number
  entity_type: string
  word: string
  entity_id: number
}

export interface TagRow {
  account_id: number
  entity_type: string
  id: number
  name: string
  color: string | null
}

export interface EntityTagRow {
  account_id: number
  entity_id: number
  tag_id: number
}

/** A link between two records as seen from one side; the other side has its own row. */
export interface LinkRow {
  account_id: number
  entity_id: number
  to_entity_id: number
  entity_type: string
  to_entity_type: string
  /** Whether the contact is the main contact of the lead or customer. */
  is_main: Flag
  /** The quantity, list and price of a linked element. */
  quantity: number | null
  catalog_id: number | null
  price_id: number | null
}

export interface CustomFieldRow {
  account_id: number
  id: number
  /** `leads`, `contacts`, `companies`, `customers`, `segments` or `catalogs`. */
  entity_type: string
  catalog_id: number | null
  group_id: string | null
  type: string
  name: string
  code: string | null
  sort: number
  is_api_only: Flag
  is_predefined: Flag
  is_deletable: Flag
  /** Visible but read-only for people (F2). */
  is_disabled: Flag
  /** The service that created the field with the legacy operation, and that alone can delete it (F1). */
  origin: string | null
  enums: Json
  /** Settings that only some types have. */
  settings: Json
  created_at: number
  updated_at: number
}

export interface CustomFieldGroupRow {
  account_id: number
  entity_type: string
  id: string
  name: string
  sort: number
  created_at: number
}

/** All field values of one record, by field id. */
export interface FieldValuesRow {
  account_id: number
  entity_id: number
  field_values: Json
}

/** The search key of a value: see `custom-fields/fields/field-keys.ts`. */
export interface FieldKeyRow {
  account_id: number
  field_id: number
  key: string
  entity_id: number
}

/** Values of a deleted field or of deleted choices that records can still store. */
export interface ValueErasureRow {
  account_id: number
  id: number
  /** The deleted CustomFieldRow. */
  field: Json
  /** The choices as JSON; null for all values of the field. */
  enum_ids: Json | null
  created_at: number
  due_at: number
}

/** A deleted tag that records can still have. */
export interface TagErasureRow {
  account_id: number
  tag_id: number
  created_at: number
  due_at: number
}

/** The key of an event for filters on values; see `events/value-keys.ts`. */
export interface EventKeyRow {
  account_id: number
  key: string
  event_id: string
}

export interface EventRow {
  account_id: number
  /** A ULID, which sorts by time. */
  id: string
  /** The number of the platform; see `events/event-types.ts`. */
  type: number
  entity_type: string
  entity_id: number
  created_by: number
  /** The number of the integration that acted, with the rights of this person; null for others. */
  created_by_integration: number | null
  created_at: number
  value_after: Json
  value_before: Json
  /** The id of a changed field, and its name at that time. */
  field_id: number | null
  field_name: string | null
  /** The contact of a message in a chat of another record. */
  talk_contact_id: number | null
  /** Another record on whose card the event appears: that of a task, or the contact of a message to a lead. */
  card_id: number | null
  request_id: string
}

export interface NoteRow {
  account_id: number
  entity_type: string
  id: number
  entity_id: number
  note_type: string
  params: Json
  /** The attached file of an attachment note. */
  file_uuid: string | null
  responsible_user_id: number
  created_by: number
  updated_by: number
  /** The integrations that created it and changed it last, by their numbers, with the rights of these people. */
  created_by_integration: number | null
  updated_by_integration: number | null
  created_at: number
  updated_at: number
  is_pinned: Flag
  is_deleted: Flag
}

/** The note of the call with this id. */
export interface CallIdRow {
  account_id: number
  uniq: string
  note_id: number
}

export interface PipelineRow {
  account_id: number
  id: number
  name: string
  sort: number
  is_main: Flag
  is_unsorted_on: Flag
  is_archive: Flag
}

export interface StatusRow {
  account_id: number
  pipeline_id: number
  /** 142 and 143, won and lost, are in every pipeline. */
  id: number
  name: string
  sort: number
  color: string
  /** 1 for the stage of incoming, unsorted leads; otherwise 0. */
  type: number
  is_editable: Flag
  descriptions: Json
}

export interface LossReasonRow {
  account_id: number
  id: number
  name: string
  sort: number
  created_at: number
  updated_at: number
}

export interface CustomerStatusRow {
  account_id: number
  id: number
  name: string
  sort: number
  color: string
  is_default: Flag
  type: number
}

export interface TransactionRow {
  account_id: number
  id: number
  customer_id: number
  price: number
  price_with_minor_units: number | null
  comment: string | null
  completed_at: number
  /** Purchased elements: `[{id, metadata: {catalog_id, quantity}, bonus_points?}]`. */
  elements: Json
  created_by: number
  updated_by: number
  created_at: number
  updated_at: number
  is_deleted: Flag
}

export interface CatalogRow {
  account_id: number
  id: number
  name: string
  type: string
  sort: number
  can_add_elements: Flag
  can_show_in_cards: Flag
  can_link_multiple: Flag
  can_be_deleted: Flag
  /** Only of the list of products: the price of a lead is the sum of its products. */
  sums_leads: Flag
  sdk_widget_code: string | null
  created_by: number
  updated_by: number
  created_at: number
  updated_at: number
}

export interface TaskRow {
  account_id: number
  id: number
  entity_type: string | null
  entity_id: number | null
  responsible_user_id: number
  task_type_id: number
  text: string
  result: string | null
  duration: number
  complete_till: number
  is_completed: Flag
  is_deleted: Flag
  created_by: number
  updated_by: number
  /** The integrations that created it and changed it last, by their numbers, with the rights of these people. */
  created_by_integration: number | null
  updated_by_integration: number | null
  created_at: number
  updated_at: number
}

/** A short link created for one contact, so that visits can be attributed. */
export interface ShortLinkRow {
  token: string
  account_id: number
  entity_type: string
  entity_id: number
  url: string
  created_by: number
  created_at: number
}

/** A visitor of a site, identified within an account by the name in the pixel. */
export interface VisitorRow {
  visitor_uid: string
  account_id: number
  entity_type: string
  entity_id: number
  created_at: number
}

export interface VisitRow {
  account_id: number
  visitor_uid: string
  url: string
  at: number
}

/** An invitation to a survey at an unguessable address. */
export interface SurveyRow {
  token: string
  account_id: number
  entity_type: string
  entity_id: number
  rate: number | null
  created_by: number
  created_at: number
  rated_at: number | null
}

export interface AudienceRow {
  account_id: number
  id: number
  name: string
  service: string
  created_by: number
  created_at: number
}

export interface AudienceMemberRow {
  account_id: number
  audience_id: number
  entity_type: string
  entity_id: number
  added_at: number
}

/** A write that its caller can repeat: the request under the key, and its response (V9). */
export interface IdempotencyKeyRow {
  account_id: number
  /** The integration or the person. */
  caller: string
  key: string
  /** SHA-256 of method, address and body. */
  request_hash: Buffer
  /** null while the first request is running. */
  status: number | null
  answer: string | null
  /** Instead of `answer`, if that can have secrets. */
  sealed_answer: Buffer | null
  created_at: number
}
