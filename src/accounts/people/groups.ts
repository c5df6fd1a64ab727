import { randomUUID } from 'node:crypto'
import type { Context } from '../../context.ts'
import type { Tx } from '../../db/database.ts'
import { nextId } from '../../db/dialect.ts'
import type { GroupRow } from '../../db/tables.ts'
import { Refusal } from '../../errors.ts'
import { auditAs } from '../audit/audit.ts'
import { DEFAULT_GROUP } from '../members/account-defaults.ts'
import { type Actor, requireAdmin } from '../members/actor.ts'
import { lockAccount } from '../members/people-queries.ts'
import {
  countGroups,
  deleteGroup,
  findGroupRow,
  groupMembers,
  insertGroup,
  listGroupRows,
  updateGroup,
} from '../members/role-queries.ts'
import type { NewGroup } from '../members/schemas.ts'
import { inUse } from './roles.ts'

/** More than an account with the most people needs; lists of people and accounts show all of them. */
const MAX_GROUPS = 500

/** Lists a page of groups, the default one first, and their total count. */
export async function listGroups(ctx: Context, actor: Actor, page: { limit: number; offset: number }) {
  requireAdmin(actor)
  const total = await countGroups(ctx.db, actor.account_id)
  return { total, groups: await listGroupRows(ctx.db, actor.account_id, page) }
}

export async function addGroup(ctx: Context, actor: Actor, { name }: NewGroup): Promise<GroupRow> {
  requireAdmin(actor)
  return ctx.db.transaction().execute(async (tx) => {
    const { account_id } = actor
    await lockAccount(tx, account_id)
    if ((await countGroups(tx, account_id)) >= MAX_GROUPS)
      throw new Refusal('conflict', `An account can have at most ${MAX_GROUPS} groups.`, {
        code: 'group_limit',
      })
    const group = { account_id, id: await nextId(tx, 'groups'), name, uuid: randomUUID() }
    await insertGroup(tx, group)
    await auditAs(ctx, tx, actor, 'group.added', { id: group.id, name })
    return group
  })
}

export async function renameGroup(
  ctx: Context,
  actor: Actor,
  id: number,
  { name }: NewGroup,
): Promise<GroupRow> {
  return change(ctx, actor, id, async (tx, group) => {
    if (group.name === name) return
    await updateGroup(tx, group, name)
    await auditAs(ctx, tx, actor, 'group.changed', { id, name })
  }).then((group) => ({ ...group, name }))
}

/** Deletes an empty group. The default group cannot be deleted. */
export async function removeGroup(ctx: Context, actor: Actor, id: number): Promise<void> {
  await change(ctx, actor, id, async (tx, group) => {
    if (id === DEFAULT_GROUP)
      throw new Refusal('conflict', 'The default group cannot be deleted.', { code: 'default_group' })
    const members = await groupMembers(tx, actor.account_id, id)
    if (members.length > 0) throw inUse('group', members)
    await deleteGroup(tx, group)
    await auditAs(ctx, tx, actor, 'group.removed', { id, name: group.name })
  })
}

async function change(
  ctx: Context,
  actor: Actor,
  id: number,
  apply: (tx: Tx, group: GroupRow) => Promise<void>,
): Promise<GroupRow> {
  requireAdmin(actor)
  return ctx.db.transaction().execute(async (tx) => {
    await lockAccount(tx, actor.account_id)
    const group = await findGroupRow(tx, actor.account_id, id)
    if (!group) throw new Refusal('not_found', 'Group not found in this account.')
    await apply(tx, group)
    return group
  })
}
