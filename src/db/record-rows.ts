import type { Flag, Json } from './column-types.ts'

/** What is kept of a lead, a contact, a company, a customer or an element of a list. Ids are unique over all of them. */
export interface EntityRow {
  account_id: number
  entity_type: string
  id: number
  /** The list of an element; null for the others. */
  catalog_id: number | null
  name: string
  /** By what the name is put into order, see entities/orders.ts. */
  name_key: string
  first_name: string | null
  last_name: string | null
  responsible_user_id: number
  created_by: number
  updated_by: number
  created_at: number
  updated_at: number
  is_deleted: Flag
  /** The survivor, when the record was merged into another: it cannot be restored. */
  merged_into: number | null
  closest_task_at: number | null
  /** Whole: what sums, filters, orders and events read. */
  price: number | null
  /** The price as it was written, where it has a fraction; null otherwise. */
  price_with_minor_units: number | null
  pipeline_id: number | null
  /** Of a lead or a customer. */
  status_id: number | null
  loss_reason_id: number | null
  source_id: number | null
  closed_at: number | null
  next_price: number | null
  next_date: number | null
  periodicity: number | null
  ltv: number | null
  purchases_count: number | null
  bonus_points: number | null
}

/** What a search finds: the words of a record's name and of its fields, in lower case. */
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

/** Two records that are linked, told from one side; the other side has a row of its own. */
export interface LinkRow {
  account_id: number
  entity_id: number
  to_entity_id: number
  entity_type: string
  to_entity_type: string
  /** Of the contact among the contacts of a lead or a customer. */
  is_main: Flag
  /** Of an element: how many, in which list, at which of its prices. */
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
  /** Shown and locked: people do not change its values (F2). */
  is_disabled: Flag
  /** The service that made the field by the legacy operation and alone may delete it (F1). */
  origin: string | null
  enums: Json
  /** Everything that only some types have. */
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

/** What a value is found by: see `custom-fields/field-keys.ts`. */
export interface FieldKeyRow {
  account_id: number
  field_id: number
  key: string
  entity_id: number
}

/** Values of a deleted field, or of deleted choices, that records may still store. */
export interface ValueErasureRow {
  account_id: number
  id: number
  /** The CustomFieldRow as it was. */
  field: Json
  /** The choices, as JSON; null: all values of the field. */
  enum_ids: Json | null
  created_at: number
  due_at: number
}

/** By what an event is found with a filter on values; see `events/value-keys.ts`. */
export interface EventKeyRow {
  account_id: number
  key: string
  event_id: string
}

export interface EventRow {
  account_id: number
  /** A ULID: the order of time. */
  id: string
  /** The number of the platform; see `events/event-types.ts`. */
  type: number
  entity_type: string
  entity_id: number
  created_by: number
  created_at: number
  value_after: Json
  value_before: Json
  /** Of a changed field: its id, and what it was called then. */
  field_id: number | null
  field_name: string | null
  /** Of a message in a chat that is bound to another record. */
  talk_contact_id: number | null
  /** Another record on whose card it stands too: that of a task, the contact of a message to a lead. */
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
  /** The file that is attached, of a note of one. */
  file_uuid: string | null
  responsible_user_id: number
  created_by: number
  updated_by: number
  created_at: number
  updated_at: number
  is_pinned: Flag
  is_deleted: Flag
}

/** The note that records the call with this id. */
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
  /** 1 for the stage of what nobody has accepted yet, else 0. */
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
  comment: string | null
  completed_at: number
  /** Elements that were bought: `[{id, metadata: {catalog_id, quantity}, bonus_points?}]`. */
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
  created_at: number
  updated_at: number
}

/** A short address that was made for one contact, so that following it is known. */
export interface ShortLinkRow {
  token: string
  account_id: number
  entity_type: string
  entity_id: number
  url: string
  created_by: number
  created_at: number
}

/** A visitor of a site, known within an account by the name that the pixel carries. */
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

/** An invitation to rate, as an address that nobody can guess. */
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

/** A write that its caller may repeat: what was asked under the key, and what it was answered (V9). */
export interface IdempotencyKeyRow {
  account_id: number
  /** The integration or the person. */
  caller: string
  key: string
  /** SHA-256 of method, address and body. */
  request_hash: Buffer
  /** null while the first request is under way. */
  status: number | null
  answer: string | null
  created_at: number
}
