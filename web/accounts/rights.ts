import type { Rights, Width } from '../data/accounts.ts'

export type Entity = 'leads' | 'contacts' | 'companies'
export type Action = 'view' | 'edit' | 'add' | 'delete' | 'export'

export const entities: readonly Entity[] = ['leads', 'contacts', 'companies']
export const actions: readonly Action[] = ['view', 'edit', 'add', 'delete', 'export']

const none = { view: 'D', edit: 'D', add: 'D', delete: 'D', export: 'D' } as const

/** A new role begins with nothing: what is not allowed is denied. */
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

/** From everything to nothing. Adding knows only these two. */
export const widthsOf = (action: Action): Width[] => (action === 'add' ? ['A', 'D'] : ['A', 'G', 'M', 'D'])

const order: Width[] = ['A', 'G', 'M', 'D']

/** Nobody edits, deletes or exports what he does not see. */
export function within(width: Width, view: Width): Width {
  return order.indexOf(width) < order.indexOf(view) ? view : width
}

/** The members that the matrix edits, out of a user's or a role's rights. */
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
