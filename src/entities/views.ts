import type { Static } from 'typebox'
import type { ShowActing } from '../accounts/accounts.ts'
import type { ShownValues } from '../custom-fields/custom-fields.ts'
import type { LossReasonRow } from '../db/tables.ts'
import { self } from '../http/hal.ts'
import type { EntityType } from './entity-types.ts'
import type { StoredEntity } from './queries.ts'
import type { Company, Contact, Customer, Element, Lead } from './record-schemas.ts'

/** Values of `with` by kind; `only_deleted` selects the trash. */
export const withNamesOf = {
  leads: [
    'contacts',
    'catalog_elements',
    'loss_reason',
    'is_price_modified_by_robot',
    'only_deleted',
    'source_id',
    'source',
    'integration',
  ],
  contacts: ['catalog_elements', 'leads', 'customers', 'only_deleted', 'integration'],
  companies: ['catalog_elements', 'leads', 'customers', 'contacts', 'only_deleted', 'integration'],
  customers: ['catalog_elements', 'contacts', 'companies', 'only_deleted', 'integration'],
  catalog_elements: ['invoice_link', 'only_deleted', 'integration'],
} as const satisfies Record<EntityType, readonly string[]>
export type WithName = (typeof withNamesOf)[EntityType][number]

/** Data embedded in every response of a kind, besides that of `with`. */
export const alwaysEmbedded = {
  leads: ['companies'],
  contacts: ['companies'],
  companies: [],
  customers: ['companies'],
  catalog_elements: [],
} as const satisfies Record<EntityType, readonly EntityType[]>

/** Data for a view besides its row, loaded once per page. */
export interface ViewContext {
  /** The URL of the surface, without a trailing slash. */
  base: string
  values: Static<typeof ShownValues>
  group_id: number
  with: ReadonlySet<WithName>
  embedded: Record<string, unknown>
  loss_reason: LossReasonRow | undefined
  /** Shows the integrations that acted. */
  acting: ShowActing
}

export type RecordView = Lead | Contact | Company | Customer | Element

const signature = (row: StoredEntity, { acting }: ViewContext) => ({
  created_by: row.created_by,
  updated_by: row.updated_by,
  ...acting(row),
  created_at: row.created_at,
  updated_at: row.updated_at,
})

const linksOf = (row: StoredEntity, { base }: ViewContext) =>
  self(
    row.entity_type === 'catalog_elements'
      ? `${base}/catalogs/${row.catalog_id}/elements/${row.id}`
      : `${base}/${row.entity_type}/${row.id}`,
  )

function leadView(row: StoredEntity, context: ViewContext): Lead {
  const { loss_reason, base } = context
  const reason = loss_reason && {
    id: loss_reason.id,
    name: loss_reason.name,
    sort: loss_reason.sort,
    created_at: loss_reason.created_at,
    updated_at: loss_reason.updated_at,
    _links: self(`${base}/leads/loss_reasons/${loss_reason.id}`),
  }
  return {
    id: row.id,
    name: row.name,
    price: row.price ?? 0,
    price_with_minor_units: row.price_with_minor_units ?? row.price ?? 0,
    responsible_user_id: row.responsible_user_id,
    group_id: context.group_id,
    status_id: row.status_id ?? 0,
    pipeline_id: row.pipeline_id ?? 0,
    loss_reason_id: row.loss_reason_id,
    source_id: row.source_id,
    ...signature(row, context),
    closed_at: row.closed_at,
    closest_task_at: row.closest_task_at,
    is_deleted: row.is_deleted === 1,
    custom_fields_values: context.values,
    score: null,
    account_id: row.account_id,
    labor_cost: null,
    is_price_computed: false,
    ...(context.with.has('is_price_modified_by_robot') && { is_price_modified_by_robot: false }),
    _links: linksOf(row, context),
    _embedded: {
      ...context.embedded,
      // An array with one item, as on the platform.
      ...(context.with.has('loss_reason') && { loss_reason: reason ? [reason] : [] }),
    },
  }
}

function contactView(row: StoredEntity, context: ViewContext): Contact {
  return {
    id: row.id,
    name: row.name,
    first_name: row.first_name ?? '',
    last_name: row.last_name ?? '',
    responsible_user_id: row.responsible_user_id,
    group_id: context.group_id,
    ...signature(row, context),
    is_deleted: row.is_deleted === 1,
    is_unsorted: row.is_unsorted === 1,
    closest_task_at: row.closest_task_at,
    custom_fields_values: context.values,
    account_id: row.account_id,
    _links: linksOf(row, context),
    _embedded: context.embedded,
  }
}

function companyView(row: StoredEntity, context: ViewContext): Company {
  return {
    id: row.id,
    name: row.name,
    responsible_user_id: row.responsible_user_id,
    group_id: context.group_id,
    ...signature(row, context),
    is_deleted: row.is_deleted === 1,
    closest_task_at: row.closest_task_at,
    custom_fields_values: context.values,
    account_id: row.account_id,
    _links: linksOf(row, context),
    _embedded: context.embedded,
  }
}

function customerView(row: StoredEntity, context: ViewContext): Customer {
  const [ltv, purchases_count] = [row.ltv ?? 0, row.purchases_count ?? 0]
  return {
    id: row.id,
    name: row.name,
    next_price: row.next_price ?? 0,
    next_date: row.next_date,
    responsible_user_id: row.responsible_user_id,
    status_id: row.status_id ?? 0,
    periodicity: row.periodicity ?? 0,
    ...signature(row, context),
    closest_task_at: row.closest_task_at,
    is_deleted: row.is_deleted === 1,
    custom_fields_values: context.values,
    ltv,
    purchases_count,
    average_check: purchases_count > 0 ? Math.round(ltv / purchases_count) : 0,
    account_id: row.account_id,
    _links: linksOf(row, context),
    _embedded: { segments: [], ...context.embedded },
  }
}

function elementView(row: StoredEntity, context: ViewContext): Element {
  return {
    id: row.id,
    name: row.name,
    ...signature(row, context),
    is_deleted: row.is_deleted === 1,
    custom_fields_values: context.values,
    catalog_id: row.catalog_id ?? 0,
    account_id: row.account_id,
    // This server prints no invoices.
    ...(context.with.has('invoice_link') && { invoice_link: null }),
    _links: linksOf(row, context),
  }
}

export const views: Record<EntityType, (row: StoredEntity, context: ViewContext) => RecordView> = {
  leads: leadView,
  contacts: contactView,
  companies: companyView,
  customers: customerView,
  catalog_elements: elementView,
}
