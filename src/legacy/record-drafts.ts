import type { FieldSet } from '../custom-fields/custom-fields.ts'
import { drafts, patches, type RecordDraft, type RecordPatch } from '../entities/records/draft-schemas.ts'
import { writtenFields } from './field-values.ts'
import {
  type Draft,
  draftOf,
  type Item,
  numberIn,
  type Translate,
  textIn,
  timeIn,
  to,
  toElements,
  toLinks,
  toTags,
  toTime,
} from './members.ts'
import { type Batch, validated, withId } from './requests.ts'

/** The kinds of records. */
export type RecordKind = 'leads' | 'contacts' | 'companies' | 'customers'

/** Members by their names in the first API, then by those in the second one, which has the names of v4 for times. */
const common: Record<string, Translate> = {
  id: to('id', numberIn),
  name: to('name', textIn),
  date_create: toTime('created_at'),
  responsible_user_id: to('responsible_user_id', numberIn),
  created_user_id: to('created_by', numberIn),
  modified_user_id: to('updated_by', numberIn),
  tags: toTags,
  created_at: toTime('created_at'),
  created_by: to('created_by', numberIn),
  updated_by: to('updated_by', numberIn),
}
const people = {
  ...common,
  linked_leads_id: toLinks('leads'),
  leads_id: toLinks('leads'),
  customers_id: toLinks('customers'),
}

const members: Record<RecordKind, Record<string, Translate>> = {
  leads: {
    ...common,
    status_id: to('status_id', numberIn),
    pipeline_id: to('pipeline_id', numberIn),
    price: to('price', numberIn),
    loss_reason_id: to('loss_reason_id', numberIn),
    linked_company_id: toLinks('companies'),
    visitor_uid: to('visitor_uid'),
    sale: to('price', numberIn),
    contacts_id: toLinks('contacts'),
    company_id: toLinks('companies'),
    catalog_elements_id: toElements,
  },
  contacts: {
    ...people,
    linked_company_id: toLinks('companies'),
    company_id: toLinks('companies'),
    first_name: to('first_name', textIn),
    last_name: to('last_name', textIn),
  },
  companies: { ...people, contacts_id: toLinks('contacts') },
  customers: {
    ...common,
    main_user_id: to('responsible_user_id', numberIn),
    status_id: to('status_id', numberIn),
    period_id: to('status_id', numberIn),
    next_date: to('next_date', timeIn),
    next_price: to('next_price', numberIn),
    periodicity: to('periodicity', numberIn),
    contacts_id: toLinks('contacts'),
    company_id: toLinks('companies'),
    catalog_elements_id: toElements,
  },
}

/** New records as drafts of v4, validated with its schema. */
export const newRecords = (kind: RecordKind, batch: Batch, fields: FieldSet): RecordDraft[] =>
  validated(
    drafts[kind],
    batch.items.map((item) => ({ ...translated(kind, item, fields), id: undefined })),
    batch,
  )

/** Changed records as patches of v4, validated with its schema. */
export const changedRecords = (kind: RecordKind, batch: Batch, fields: FieldSet): RecordPatch[] =>
  validated(
    namedPatches[kind],
    batch.items.map((item) => translated(kind, item, fields)),
    batch,
  )

const namedPatches = {
  leads: withId(patches.leads),
  contacts: withId(patches.contacts),
  companies: withId(patches.companies),
  customers: withId(patches.customers),
}

/** An item as a draft of v4, not yet validated. */
export function translated(kind: RecordKind, item: Item, fields: FieldSet): Draft {
  const draft = draftOf(item, members[kind])
  if (item.custom_fields !== undefined && item.custom_fields !== null)
    draft.custom_fields_values = writtenFields(item.custom_fields, fields)
  return draft
}
