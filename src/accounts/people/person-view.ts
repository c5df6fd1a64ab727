import type { GroupRow } from '../../db/tables.ts'
import { self } from '../../http/hal.ts'
import type { PersonRow } from '../members/people-queries.ts'
import { everything, type Rights } from '../members/rights.ts'
import type { Group, Role, User } from '../members/schemas.ts'
import type { RoleWithHolders } from './roles.ts'

/** Values of `with` for users. */
export const userParts = ['role', 'group', 'uuid', 'amojo_id', 'user_rank', 'phone_number'] as const
export type UserPart = (typeof userParts)[number]

/** A user in the v4 format, with their effective rights; `base` is the URL of the surface. */
export function userView(row: PersonRow, parts: Set<UserPart>, base: string): User {
  const { id, name, email, lang } = row
  return {
    id,
    name,
    email,
    lang,
    rights: {
      ...effectiveRights(row),
      is_admin: row.is_admin === 1,
      is_free: row.is_free === 1,
      is_active: row.is_active === 1,
      group_id: row.group_id,
      role_id: row.role_id,
    },
    ...(parts.has('uuid') && { uuid: row.uuid }),
    ...(parts.has('amojo_id') && { amojo_id: row.amojo_id }),
    ...(parts.has('user_rank') && { user_rank: row.user_rank }),
    ...(parts.has('phone_number') && { phone_number: row.phone_number }),
    _links: self(`${base}/users/${id}`),
    ...embeddedOf(row, parts, base),
  }
}

/** The rights of a person: all for an administrator, those of their role, or their own. */
export function effectiveRights(row: PersonRow): Rights {
  return row.is_admin === 1 ? everything : (JSON.parse(row.role_rights ?? row.rights) as Rights)
}

function embeddedOf(row: PersonRow, parts: Set<UserPart>, base: string): Pick<User, '_embedded'> {
  if (!parts.has('role') && !parts.has('group')) return {}
  const { role_id, role_name, group_id, group_name } = row
  const roles =
    role_id === null || role_name === null
      ? []
      : [{ id: role_id, name: role_name, _links: self(`${base}/roles/${role_id}`) }]
  const groups = group_name === null ? [] : [{ id: group_id, name: group_name }]
  return { _embedded: { ...(parts.has('role') && { roles }), ...(parts.has('group') && { groups }) } }
}

export function roleView({ id, name, rights, users }: RoleWithHolders, base: string): Role {
  return {
    id,
    name,
    rights: JSON.parse(rights) as Rights,
    _links: self(`${base}/roles/${id}`),
    ...(users && { _embedded: { users } }),
  }
}

export function groupView({ id, name, uuid }: GroupRow, base: string): Group {
  return { id, name, uuid, _links: self(`${base}/groups/${id}`) }
}
