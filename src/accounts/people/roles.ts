import { isDeepStrictEqual } from 'node:util'
import type { Context } from '../../context.ts'
import type { Tx } from '../../db/database.ts'
import { nextIds } from '../../db/dialect.ts'
import type { RoleRow } from '../../db/tables.ts'
import { Refusal } from '../../errors.ts'
import { auditAs } from '../audit/audit.ts'
import { type Actor, requireAdmin } from '../members/actor.ts'
import { lockAccount } from '../members/people-queries.ts'
import { completeRights, type Rights } from '../members/rights.ts'
import {
  countRoles,
  deleteRole,
  findRoleRow,
  insertRoles,
  listRoleRows,
  roleHolders,
  updateRole,
} from '../members/role-queries.ts'
import type { NewRole, RolePatch } from '../members/schemas.ts'
import { cleanRights, refuseFaults, rightsFaults } from './person-draft.ts'

/** A named set of rights. Its current rights replace a member's own. */
export interface RoleWithHolders extends RoleRow {
  /** The users who have this role; undefined if not requested. */
  users?: { id: number }[]
}

interface Asked {
  users: boolean
}

/** Lists a page of roles in the order of their ids, and their total count. */
export async function listRoles(
  ctx: Context,
  actor: Actor,
  page: { limit: number; offset: number },
  asked: Asked,
): Promise<{ total: number; roles: RoleWithHolders[] }> {
  requireAdmin(actor)
  const total = await countRoles(ctx.db, actor.account_id)
  const roles = await listRoleRows(ctx.db, actor.account_id, page)
  return { total, roles: asked.users ? await withHolders(ctx, actor, roles) : roles }
}

export async function readRole(
  ctx: Context,
  actor: Actor,
  id: number,
  asked: Asked,
): Promise<RoleWithHolders> {
  requireAdmin(actor)
  const role = await findRoleRow(ctx.db, actor.account_id, id)
  if (!role) throw roleNotFound()
  return asked.users ? ((await withHolders(ctx, actor, [role]))[0] as RoleWithHolders) : role
}

async function withHolders(
  ctx: Context,
  { account_id }: Actor,
  roles: RoleRow[],
): Promise<RoleWithHolders[]> {
  const holders = await roleHolders(
    ctx.db,
    account_id,
    roles.map(({ id }) => id),
  )
  const byRole = Map.groupBy(holders, ({ role_id }) => role_id)
  return roles.map((role) => ({ ...role, users: (byRole.get(role.id) ?? []).map(({ id }) => ({ id })) }))
}

/** More than an account with the most people needs; lists of people read all of them. */
const MAX_ROLES = 500

/** Adds all roles or none; rights that a role omits are denied. */
export async function addRoles(ctx: Context, actor: Actor, drafts: NewRole[]): Promise<RoleRow[]> {
  requireAdmin(actor)
  refuseFaults(
    drafts.flatMap(({ rights, request_id }, index) => rightsFaults(rights, String(request_id ?? index))),
  )
  return ctx.db.transaction().execute(async (tx) => {
    await lockAccount(tx, actor.account_id)
    if ((await countRoles(tx, actor.account_id)) + drafts.length > MAX_ROLES)
      throw new Refusal('conflict', `An account can have at most ${MAX_ROLES} roles.`, { code: 'role_limit' })
    const ids = await nextIds(tx, 'roles', drafts.length)
    const roles = drafts.map(({ name, rights }, index) => ({
      account_id: actor.account_id,
      id: ids[index] as number,
      name,
      rights: JSON.stringify(completeRights(cleanRights(rights ?? {}))),
    }))
    await insertRoles(tx, roles)
    await auditAs(ctx, tx, actor, 'role.added', ...roles.map(({ id, name }) => ({ id, name })))
    return roles
  })
}

/**
 * Changes a role. Rights that the patch omits stay the same. The change applies from the next request of each
 * member with the role.
 */
export async function changeRole(ctx: Context, actor: Actor, id: number, patch: RolePatch): Promise<RoleRow> {
  return change(ctx, actor, id, async (tx, role) => {
    const current = JSON.parse(role.rights) as Rights
    const rights = completeRights({ ...current, ...cleanRights(patch.rights ?? {}) })
    refuseFaults(rightsFaults(rights))
    const changed = { ...role, name: patch.name ?? role.name, rights: JSON.stringify(rights) }
    if (changed.name === role.name && isDeepStrictEqual(rights, current)) return role
    await updateRole(tx, role, { name: changed.name, rights: changed.rights })
    await auditAs(ctx, tx, actor, 'role.changed', { id, name: changed.name })
    return changed
  })
}

/** Deletes a role that nobody has. Otherwise its members would silently fall back to their own outdated rights. */
export async function removeRole(ctx: Context, actor: Actor, id: number): Promise<void> {
  await change(ctx, actor, id, async (tx, role) => {
    const holders = await roleHolders(tx, actor.account_id, [id])
    if (holders.length > 0) throw inUse('role', holders)
    await deleteRole(tx, role)
    await auditAs(ctx, tx, actor, 'role.removed', { id, name: role.name })
    return role
  })
}

async function change(
  ctx: Context,
  actor: Actor,
  id: number,
  apply: (tx: Tx, role: RoleRow) => Promise<RoleRow>,
): Promise<RoleRow> {
  requireAdmin(actor)
  return ctx.db.transaction().execute(async (tx) => {
    await lockAccount(tx, actor.account_id)
    const role = await findRoleRow(tx, actor.account_id, id)
    if (!role) throw roleNotFound()
    return apply(tx, role)
  })
}

const roleNotFound = () => new Refusal('not_found', 'Role not found in this account.')

const NAMED = 10

/** Lists the members who have to be moved first. */
export function inUse(what: 'role' | 'group', people: { id: number; name: string }[]): Refusal {
  const names = people.slice(0, NAMED).map(({ id, name }) => `${name} (${id})`)
  const more = people.length > NAMED ? ` and ${people.length - NAMED} more` : ''
  return new Refusal('conflict', `This ${what} is in use by ${names.join(', ')}${more}.`, {
    code: `${what}_in_use`,
  })
}
