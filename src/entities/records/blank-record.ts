import { type Actor, actingIntegration } from '../../accounts/accounts.ts'
import type { EntityRow } from '../../db/tables.ts'
import type { EntityType } from './entity-types.ts'

/** The name of a record that was given none (R9). */
export const unnamed = (type: EntityType, id: number): string => (type === 'leads' ? `Lead #${id}` : '')

/** The row of a new record before its draft is applied. */
export function blank(
  type: EntityType,
  id: number,
  actor: Actor,
  now: number,
  catalog_id: number | null,
): EntityRow {
  const isLead = type === 'leads'
  const isCustomer = type === 'customers'
  return {
    account_id: actor.account_id,
    entity_type: type,
    id,
    catalog_id,
    name: unnamed(type, id),
    name_key: '',
    first_name: type === 'contacts' ? '' : null,
    last_name: type === 'contacts' ? '' : null,
    responsible_user_id: actor.user_id,
    created_by: actor.user_id,
    updated_by: actor.user_id,
    created_by_integration: actingIntegration(actor),
    updated_by_integration: actingIntegration(actor),
    created_at: now,
    updated_at: now,
    is_deleted: 0,
    is_unsorted: 0,
    merged_into: null,
    closest_task_at: null,
    price: isLead ? 0 : null,
    price_with_minor_units: null,
    pipeline_id: null,
    status_id: null,
    loss_reason_id: null,
    source_id: null,
    closed_at: null,
    next_price: isCustomer ? 0 : null,
    next_price_with_minor_units: null,
    next_date: null,
    periodicity: isCustomer ? 0 : null,
    ltv: isCustomer ? 0 : null,
    ltv_with_minor_units: null,
    purchases_count: isCustomer ? 0 : null,
    bonus_points: isCustomer ? 0 : null,
  }
}
