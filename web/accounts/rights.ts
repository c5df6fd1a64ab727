import { isWider, type Width, widths } from '../../src/accounts/members/right-types.ts'
import type { Rights } from '../data/accounts.ts'
import { changedMembers } from '../parts/forms/rebased.ts'

export type Entity = 'leads' | 'contacts' | 'companies'
export type Action = 'view' | 'edit' | 'add' | 'delete' | 'export'

export const entities: readonly Entity[] = ['leads', 'contacts', 'companies']
export const actions: readonly Action[] = ['view', 'edit', 'add', 'delete', 'export']

/** Scopes from widest to narrowest. Adding only knows all and none. */
export const widthsOf = (action: Action): Width[] => (action === 'add' ? ['A', 'D'] : [...widths])

/** Limits a scope to what the person can see. */
export const within = (width: Width, view: Width): Width => (isWider(width, view) ? view : width)

/** The permissions that the matrix edits. */
export const rightsOf = (source: Rights): Rights => ({
  leads: source.leads,
  contacts: source.contacts,
  companies: source.companies,
  tasks: source.tasks,
  mail_access: source.mail_access,
  catalog_access: source.catalog_access,
  status_rights: source.status_rights,
  catalog_rights: source.catalog_rights,
})

/** The changes of a role or a person, down to the rights about a kind of record. */
export function changesOf<Draft extends { rights?: Rights | undefined }>(
  draft: Draft,
  stored: Draft,
): Partial<Omit<Draft, 'rights'>> & { rights?: Partial<Rights> } {
  const { rights, ...changed } = changedMembers(draft, stored)
  return { ...changed, ...(rights && { rights: changedMembers(rights, stored.rights ?? {}) }) }
}
