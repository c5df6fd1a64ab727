import type { FieldOwner } from '../../custom-fields/custom-fields.ts'
import type { EventEntityType, EventTypeWith, PlainEventType } from '../../events/event-types.ts'
import type { SystemNotes } from '../../notes/note-types.ts'

/** A kind of records: its name on the wire, its group of rights, and its events. */
export interface EntityKind {
  singular: 'lead' | 'contact' | 'company' | 'customer' | 'catalog_element'
  /** The group of its operations in the API description. */
  tags: readonly [string]
  /** The group of rights that applies; list elements have their own. */
  rights: 'leads' | 'contacts' | 'companies' | 'catalogs'
  fields: FieldOwner
  /** Kinds to which it can be linked, in either direction. */
  links: readonly EntityType[]
  events: {
    added: EventTypeWith<{ isCreation: true }> | null
    deleted: PlainEventType | null
    restored: PlainEventType | null
    linked: EventTypeWith<{ after: 'link' }>
    unlinked: EventTypeWith<{ before: 'unlink' }>
  }
  /** The note that marks its creation. */
  created_note: keyof SystemNotes | null
}

export type EntityType = 'leads' | 'contacts' | 'companies' | 'customers' | 'catalog_elements'

export const entityTypes = {
  leads: {
    singular: 'lead',
    tags: ['Leads'],
    rights: 'leads',
    fields: 'leads',
    links: ['contacts', 'companies', 'catalog_elements'],
    events: {
      added: 'lead_added',
      deleted: 'lead_deleted',
      restored: 'lead_restored',
      linked: 'lead_linked',
      unlinked: 'lead_unlinked',
    },
    created_note: 'lead_created',
  },
  contacts: {
    singular: 'contact',
    tags: ['Contacts'],
    rights: 'contacts',
    fields: 'contacts',
    links: ['leads', 'companies', 'customers', 'catalog_elements'],
    events: {
      added: 'contact_added',
      deleted: 'contact_deleted',
      restored: 'contact_restored',
      linked: 'contact_linked',
      unlinked: 'contact_unlinked',
    },
    created_note: 'contact_created',
  },
  companies: {
    singular: 'company',
    tags: ['Companies'],
    rights: 'companies',
    fields: 'companies',
    links: ['leads', 'contacts', 'customers', 'catalog_elements'],
    events: {
      added: 'company_added',
      deleted: 'company_deleted',
      restored: 'company_restored',
      linked: 'company_linked',
      unlinked: 'company_unlinked',
    },
    created_note: 'company_created',
  },
  customers: {
    singular: 'customer',
    tags: ['Customers'],
    // On the platform, customers have the rights of leads.
    rights: 'leads',
    fields: 'customers',
    links: ['contacts', 'companies', 'catalog_elements'],
    events: {
      added: 'customer_added',
      deleted: 'customer_deleted',
      // The log has no event type for it.
      restored: null,
      linked: 'customer_linked',
      unlinked: 'customer_unlinked',
    },
    created_note: 'customer_created',
  },
  catalog_elements: {
    singular: 'catalog_element',
    tags: ['Lists'],
    rights: 'catalogs',
    fields: 'catalogs',
    links: ['leads', 'contacts', 'companies', 'customers'],
    events: {
      added: null,
      deleted: null,
      restored: null,
      linked: 'entity_linked',
      unlinked: 'entity_unlinked',
    },
    created_note: null,
  },
} as const satisfies Record<EntityType, EntityKind>

/** Kinds with cards: all but list elements. */
export const cardTypes = ['leads', 'contacts', 'companies', 'customers'] as const
export type CardType = (typeof cardTypes)[number]

export const isEntityType = (name: string): name is EntityType => Object.hasOwn(entityTypes, name)

/** The entity type in the log: `lead`, `catalog_12`. */
export function eventEntityType(row: { entity_type: string; catalog_id: number | null }): EventEntityType {
  if (row.entity_type === 'catalog_elements') return `catalog_${row.catalog_id ?? 0}`
  return entityTypes[row.entity_type as CardType].singular
}
