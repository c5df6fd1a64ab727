import type { EntityType } from './entity-types.ts'
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

export type RecordView = Lead | Contact | Company | Customer | Element
