import type { Rights, Width } from '../data/accounts.ts'

export type Entity = 'leads' | 'contacts' | 'companies'
export type Action = 'view' | 'edit' | 'add' | 'delete' | 'export'

export const entities: readonly Entity[] = ['leads', 'contacts', 'companies']
export const actions: readonly Action[] = ['view', 'edit', 'add', 'delete', 'export']

const none = { view: 'D', edit: 'D', add: 'D', delete: 'D', export: 'D' } as const

/** The permissions of a new role: none. */
export const noRights: Rights = {
  leads: none,
  contacts: none,
  companies: none,
  tasks: { edit: 'D', delete: 'D' },
  mail_access: false,
  catalog_access: false,
  status_rights: null,
  catalog_rights: null,
}

/** Scopes from widest to narrowest. Adding only knows all and none. */
export const widthsOf = (action: Action): Width[] => (action === 'add' ? ['A', 'D'] : ['A', 'G', 'M', 'D'])

const order: Width[] = ['A', 'G', 'M', 'D']

/** Limits a scope to what the person can see. */
export function within(width: Width, view: Width): Width {
  return order.indexOf(width) < order.indexOf(view) ? view : width
}

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
