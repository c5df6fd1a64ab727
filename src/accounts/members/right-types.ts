import type { Rights } from './rights.ts'

/**
 * The rights of a member (A10). Each right has a width: all records, those of the group, those for which the member
 * is responsible, or none. Lists also have a width `L` for elements that are linked to a visible record.
 */
export const widths = ['A', 'G', 'M', 'D'] as const
export type Width = (typeof widths)[number]

const none = { view: 'D', edit: 'D', add: 'D', delete: 'D', export: 'D' } as const

/** A person without rights, and the start of a new role. */
export const denied: Rights = {
  leads: none,
  contacts: none,
  companies: none,
  tasks: { edit: 'D', delete: 'D' },
  mail_access: false,
  catalog_access: false,
  status_rights: null,
  catalog_rights: null,
}

/** The second right cannot be wider than the first: invisible records cannot be changed. */
export const limits: [wider: string, narrower: string][] = [
  ['view', 'edit'],
  ['view', 'delete'],
  ['edit', 'delete'],
  ['view', 'export'],
]

const WIDEST_FIRST = 'ALGMD'

export const isWider = (width: string, other: string): boolean =>
  WIDEST_FIRST.indexOf(width) < WIDEST_FIRST.indexOf(other)
