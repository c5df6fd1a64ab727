import type { Db, Tx } from '../../db/database.ts'
import { forNoKeyUpdate } from '../../db/dialect.ts'
import { prepared } from '../../db/prepared.ts'
import type { AccountRow, Flag, Json, MemberEndingRow, MemberRow, UserRow } from '../../db/tables.ts'

/** A member with their user, role and group, as lists show them. */
export interface PersonRow {
  id: number
  name: string
  email: string
  lang: string
  uuid: string
  amojo_id: string
  phone_number: string | null
  user_rank: string | null
  is_admin: Flag
  is_free: Flag
  is_active: Flag
  group_id: number
  group_name: string | null
  role_id: number | null
  role_name: string | null
  role_rights: Json | null
  rights: Json
  epoch: number
}

/** Serialises changes to the settings of one account (people, roles, pipelines ...). Other rows of it can be written. */
export function lockAccount(tx: Tx, account_id: number): Promise<AccountRow> {
  return tx
    .selectFrom('accounts')
    .selectAll()
    .where('id', '=', account_id)
    .modifyEnd(forNoKeyUpdate(tx))
    .executeTakeFirstOrThrow()
}

/** Members who have not been removed, in the order of user ids; by the primary key of members. */
function people(db: Db, account_id: number) {
  return db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .leftJoin('roles', (join) =>
      join.onRef('roles.account_id', '=', 'members.account_id').onRef('roles.id', '=', 'members.role_id'),
    )
    .leftJoin('groups', (join) =>
      join.onRef('groups.account_id', '=', 'members.account_id').onRef('groups.id', '=', 'members.group_id'),
    )
    .where('members.account_id', '=', account_id)
    .where('members.removed_at', 'is', null)
    .select([
      'users.id',
      'users.name',
      'users.email',
      'users.lang',
      'users.uuid',
      'users.amojo_id',
      'users.phone_number',
      'members.user_rank',
      'members.is_admin',
      'members.is_free',
      'members.is_active',
      'members.group_id',
      'groups.name as group_name',
      'members.role_id',
      'roles.name as role_name',
      'roles.rights as role_rights',
      'members.rights',
      'members.epoch',
    ])
}

const pages = prepared(
  (db, { account_id, limit, offset }: { account_id: number; limit: number; offset: number }) =>
    people(db, account_id).orderBy('members.user_id').limit(limit).offset(offset),
)

export const listPersonRows = (
  db: Db,
  account_id: number,
  page: { limit: number; offset: number },
): Promise<PersonRow[]> => pages(db, { account_id, ...page })

export function findPersonRows(db: Db, account_id: number, ids: number[]): Promise<PersonRow[]> {
  return people(db, account_id).where('members.user_id', 'in', ids).orderBy('members.user_id').execute()
}

const counted = prepared((db, at: { account_id: number }) =>
  db
    .selectFrom('members')
    .where('account_id', '=', at.account_id)
    .where('removed_at', 'is', null)
    .select((eb) => eb.fn.countAll<number>().as('count')),
)

export async function countPeople(db: Db, account_id: number): Promise<number> {
  const [row] = await counted(db, { account_id })
  return Number(row?.count ?? 0)
}

export function otherActiveAdmins(db: Db, account_id: number, user_id: number) {
  return db
    .selectFrom('members')
    .where('account_id', '=', account_id)
    .where('user_id', '<>', user_id)
    .where('is_admin', '=', 1)
    .where('is_active', '=', 1)
    .where('removed_at', 'is', null)
    .select('user_id')
    .limit(1)
    .execute()
}

/** The account's members among these users, including removed ones. */
export function findMemberRows(db: Db, account_id: number, user_ids: number[]): Promise<MemberRow[]> {
  if (user_ids.length === 0) return Promise.resolve([])
  return db
    .selectFrom('members')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('user_id', 'in', user_ids)
    .execute()
}

/** The users among these who are active in an account that the administrator also manages; by members_by_user. */
export async function administeredBy(db: Db, admin_id: number, user_ids: number[]): Promise<Set<number>> {
  if (user_ids.length === 0) return new Set()
  const rows = await db
    .selectFrom('members as own')
    .innerJoin('members as theirs', 'theirs.account_id', 'own.account_id')
    .where('own.user_id', '=', admin_id)
    .where('own.is_admin', '=', 1)
    .where('own.is_active', '=', 1)
    .where('own.removed_at', 'is', null)
    .where('theirs.user_id', 'in', user_ids)
    .where('theirs.is_active', '=', 1)
    .where('theirs.removed_at', 'is', null)
    .select('theirs.user_id')
    .execute()
  return new Set(rows.map(({ user_id }) => user_id))
}

/** Whether the person is a member of another account; by members_by_user. */
export async function belongsElsewhere(db: Db, account_id: number, user_id: number): Promise<boolean> {
  const row = await db
    .selectFrom('members')
    .select('account_id')
    .where('user_id', '=', user_id)
    .where('account_id', '<>', account_id)
    .where('removed_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export function insertUsers(tx: Tx, users: UserRow[]): Promise<unknown> {
  return tx.insertInto('users').values(users).execute()
}

export function updateUser(tx: Tx, id: number, changes: Partial<UserRow>): Promise<unknown> {
  return tx.updateTable('users').set(changes).where('id', '=', id).execute()
}

/** Replaces the hash of a password by another one of the same password, unless the person has a new password since. */
export function renewPasswordHash(tx: Tx, { id, password_hash }: UserRow, renewed: string): Promise<unknown> {
  return tx
    .updateTable('users')
    .set({ password_hash: renewed })
    .where('id', '=', id)
    .where('password_hash', '=', password_hash)
    .execute()
}

/** Serialises changes of a password, and sessions that begin with it. */
export function lockUser(tx: Tx, id: number): Promise<UserRow | undefined> {
  return tx
    .selectFrom('users')
    .selectAll()
    .where('id', '=', id)
    .modifyEnd(forNoKeyUpdate(tx))
    .executeTakeFirst()
}

export function insertMembers(tx: Tx, members: MemberRow[]): Promise<unknown> {
  return tx.insertInto('members').values(members).execute()
}

export function updateMember(
  tx: Tx,
  account_id: number,
  user_id: number,
  changes: Partial<MemberRow>,
): Promise<unknown> {
  return tx
    .updateTable('members')
    .set(changes)
    .where('account_id', '=', account_id)
    .where('user_id', '=', user_id)
    .execute()
}

export async function insertMemberEnding(tx: Tx, row: MemberEndingRow): Promise<void> {
  await tx.insertInto('member_endings').values(row).execute()
}

/** By the unique index on e-mails, which are stored in lower case. */
export function findUsersByEmail(db: Db, emails: string[]): Promise<UserRow[]> {
  return db.selectFrom('users').selectAll().where('email', 'in', emails).execute()
}

export async function findUserByEmail(db: Db, email: string): Promise<UserRow | undefined> {
  const [user] = await findUsersByEmail(db, [email])
  return user
}

export function findUser(db: Db, id: number): Promise<UserRow | undefined> {
  return db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()
}
