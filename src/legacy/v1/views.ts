import { type Static, Type } from 'typebox'
import type { Transaction } from '../../entities/purchases/transaction-schemas.ts'
import type { Customer } from '../../entities/records/record-schemas.ts'
import { type ShownField, shownFields } from '../field-values.ts'
import { Fields, Tag } from '../record-views.ts'
import type { V2Element } from '../v2/elements.ts'
import type { V2List } from '../v2/lists.ts'

/** Customers, purchases and lists as the first API has them (docs/wire/legacy.md#customers-purchases-and-lists). */

const NEXT_DATE = 'Unix seconds of the next expected purchase. 0: not set.'

const own = {
  id: Type.Integer(),
  date_create: Type.Integer(),
  date_modify: Type.Integer(),
  created_by: Type.Integer(),
  modified_by: Type.Integer(),
}
const deleted = Type.Boolean({ description: 'Whether it is in the trash.' })
const ofAccount = { ...own, account_id: Type.Integer(), deleted }

export const LegacyCustomer = Type.Object(
  {
    ...ofAccount,
    main_user_id: Type.Integer(),
    name: Type.String(),
    status_id: Type.Integer(),
    period_id: Type.Integer({ description: 'The same as `status_id`.' }),
    next_price: Type.Integer(),
    periodicity: Type.Integer(),
    next_date: Type.Integer({ description: NEXT_DATE }),
    task_last_date: Type.Integer(),
    main_contact_id: Type.Integer(),
    tags: Type.Array(Tag),
    custom_fields: Fields,
  },
  { title: 'LegacyCustomer' },
)
export const LegacyPurchase = Type.Object(
  {
    ...ofAccount,
    customer_id: Type.Integer(),
    comment: Type.String(),
    price: Type.Integer({ description: 'Whole units of the currency of the account.' }),
    date: Type.Integer({ description: 'Unix seconds of the purchase.' }),
  },
  { title: 'LegacyPurchase' },
)
export const LegacyList = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    created_by: Type.Integer(),
    date_create: Type.Integer(),
    sort: Type.Integer(),
    type: Type.String(),
    can_add_elements: Type.Boolean(),
    can_show_in_cards: Type.Boolean(),
    can_link_multiple: Type.Boolean(),
  },
  { title: 'LegacyList' },
)
export const LegacyElement = Type.Object(
  {
    ...own,
    catalog_id: Type.Integer(),
    name: Type.String(),
    deleted,
    custom_fields: Fields,
  },
  { title: 'LegacyElement' },
)

export function customerView(customer: Customer): Static<typeof LegacyCustomer> {
  const { contacts, tags } = customer._embedded
  return {
    ...ofAccountOf(customer),
    main_user_id: customer.responsible_user_id,
    name: customer.name,
    status_id: customer.status_id,
    period_id: customer.status_id,
    next_price: customer.next_price,
    periodicity: customer.periodicity,
    next_date: customer.next_date ?? 0,
    task_last_date: customer.closest_task_at ?? 0,
    main_contact_id: (contacts?.find(({ is_main }) => is_main) ?? contacts?.[0])?.id ?? 0,
    tags: tags ?? [],
    custom_fields: shownFields(customer.custom_fields_values as ShownField[] | null),
  }
}

export const purchaseView = (purchase: Transaction): Static<typeof LegacyPurchase> => ({
  ...ofAccountOf(purchase),
  customer_id: purchase.customer_id,
  comment: purchase.comment ?? '',
  price: purchase.price,
  date: purchase.completed_at,
})

export const listView = (list: Static<typeof V2List>): Static<typeof LegacyList> => ({
  id: list.id,
  name: list.name,
  created_by: list.created_by,
  date_create: list.created_at,
  sort: list.sort,
  type: list.type,
  can_add_elements: list.can_add_elements,
  can_show_in_cards: list.can_show_in_cards,
  can_link_multiple: list.can_link_multiple,
})

export const elementView = (element: Static<typeof V2Element>): Static<typeof LegacyElement> => ({
  ...ownOf(element),
  catalog_id: element.catalog_id,
  name: element.name,
  deleted: element.is_deleted,
  custom_fields: element.custom_fields.map(({ is_system: _, values, ...field }) => ({
    ...field,
    values: values.map(({ enum: choice, ...value }) => ({
      ...value,
      ...(choice !== undefined && { enum: String(choice) }),
    })),
  })),
})

interface Signed {
  id: number
  created_at: number
  updated_at: number
  created_by: number
  updated_by: number
}

const ownOf = ({ id, created_at, updated_at, created_by, updated_by }: Signed) => ({
  id,
  date_create: created_at,
  date_modify: updated_at,
  created_by,
  modified_by: updated_by,
})

const ofAccountOf = (record: Signed & { account_id: number; is_deleted: boolean }) => ({
  ...ownOf(record),
  account_id: record.account_id,
  deleted: record.is_deleted,
})
