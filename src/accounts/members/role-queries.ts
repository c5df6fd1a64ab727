import type { Db, Tx } from '../../db/database.ts'
import type { GroupRow, RoleRow } from '../../db/tables.ts'

interface Range {
  limit: number
  offset: number
}

export function listRoleRows(db: Db, account_id: number, range?: Range): Promise<RoleRow[]> {
  const all = db.selectFrom('roles').selectAll().where('account_id', '=', account_id).orderBy('id')
  return (range ? all.limit(range.limit).offset(range.offset) : all).execute()
}

export async function countRoles(db: Db, account_id: number): Promise<number> {
  const { count } = await db
    .selectFrom('roles')
    .where('account_id', '=', account_id)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

export function findRoleRow(db: Db, account_id: number, id: number): Promise<RoleRow | undefined> {
  return db
    .selectFrom('roles')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** The ids of the roles of an account. */
export async function knownRoles(db: Db, account_id: number): Promise<Set<number>> {
  const rows = await db
    .selectFrom('roles')
    .select('id')
    .where('account_id', '=', account_id)
    .orderBy('id')
    .execute()
  return new Set(rows.map(({ id }) => id))
}

export function insertRoles(tx: Tx, roles: RoleRow[]): Promise<unknown> {
  return tx.insertInto('roles').values(roles).execute()
}

export function updateRole(tx: Tx, { account_id, id }: RoleRow, changes: Partial<RoleRow>): Promise<unknown> {
  return tx
    .updateTable('roles')
    .set(changes)
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .execute()
}

export function deleteRole(tx: Tx, { account_id, id }: RoleRow): Promise<unknown> {
  return tx.deleteFrom('roles').where('account_id', '=', account_id).where('id', '=', id).execute()
}

/** The members who have these roles. */
export function roleHolders(db: Db, account_id: number, role_ids: number[]) {
  if (role_ids.length === 0) return Promise.resolve([])
  return holders(db, account_id).where('members.role_id', 'in', role_ids).execute()
}

export function groupMembers(db: Db, account_id: number, group_id: number) {
  return holders(db, account_id).where('members.group_id', '=', group_id).execute()
}

const holders = (db: Db, account_id: number) =>
  db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .where('members.account_id', '=', account_id)
    .where('members.removed_at', 'is', null)
    .select(['members.role_id', 'users.id', 'users.name'])
    .orderBy('users.id')

/** Includes group 0, which every account has, as the first. */
export function listGroupRows(db: Db, account_id: number, range?: Range): Promise<GroupRow[]> {
  const all = db.selectFrom('groups').selectAll().where('account_id', '=', account_id).orderBy('id')
  return (range ? all.limit(range.limit).offset(range.offset) : all).execute()
}

export async function countGroups(db: Db, account_id: number): Promise<number> {
  const { count } = await db
    .selectFrom('groups')
    .where('account_id', '=', account_id)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

export function findGroupRow(db: Db, account_id: number, id: number): Promise<GroupRow | undefined> {
  return db
    .selectFrom('groups')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** The ids of the groups of an account. */
export async function knownGroups(db: Db, account_id: number): Promise<Set<number>> {
  const rows = await db
    .selectFrom('groups')
    .select('id')
    .where('account_id', '=', account_id)
    .orderBy('id')
    .execute()
  return new Set(rows.map(({ id }) => id))
}

export function insertGroup(tx: Tx, group: GroupRow): Promise<unknown> {
  return tx.insertInto('groups').values(group).execute()
}

export function updateGroup(tx: Tx, { account_id, id }: GroupRow, name: string): Promise<unknown> {
  return tx
    .updateTable('groups')
    .set({ name })
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .execute()
}

export function deleteGroup(tx: Tx, { account_id, id }: GroupRow): Promise<unknown> {
  return tx.deleteFrom('groups').where('account_id', '=', account_id).where('id', '=', id).execute()
}
