import type { EntityRow } from '../../db/tables.ts'
import type { EntityType } from './entity-types.ts'

const everywhere = [
  'id',
  'name',
  'created_by',
  'updated_by',
  'created_by_integration',
  'updated_by_integration',
  'created_at',
  'updated_at',
  'is_deleted',
] as const

const ofCards = [...everywhere, 'responsible_user_id', 'closest_task_at'] as const

/**
 * The columns of each kind that its text and its export contain. Lists read only these, and the column of their order:
 * most of the others belong to other kinds, and reading all of them takes almost twice as long.
 */
export const listedColumns = {
  leads: [
    ...ofCards,
    'price',
    'price_with_minor_units',
    'pipeline_id',
    'status_id',
    'loss_reason_id',
    'source_id',
    'closed_at',
  ],
  contacts: [...ofCards, 'first_name', 'last_name', 'is_unsorted'],
  companies: ofCards,
  customers: [
    ...ofCards,
    'pipeline_id',
    'status_id',
    'next_price',
    'next_price_with_minor_units',
    'next_date',
    'periodicity',
    'ltv',
    'ltv_with_minor_units',
    'purchases_count',
  ],
  catalog_elements: [...everywhere, 'catalog_id'],
} as const satisfies Record<EntityType, readonly (keyof EntityRow)[]>

/**
 * A record as its text and its export need it, with its field values as text; null if it has none. Without a kind, the
 * type has the columns of all kinds, of which a row of a list has only those of its own.
 */
export type ListedEntity<T extends EntityType = EntityType> = Pick<
  EntityRow,
  (typeof listedColumns)[T][number]
> & { field_values: string | null }
