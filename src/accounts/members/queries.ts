import { sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import { cached, derived, prepared, referenceData } from '../../db/prepared.ts'
import type { AccountRow, GroupRow, MemberRow, RoleRow, TaskTypeRow } from '../../db/tables.ts'

/**
 * Active members with the columns of an ActorRow. The rights of a role take precedence over the member's own. Tables of which
 * one column is needed are not joined: with each of them, PostgreSQL takes twice as long to plan the query of a bearer call.
 */
export function activeMembers(db: Db) {
  return db
    .selectFrom('members')
    .innerJoin('accounts', 'accounts.id', 'members.account_id')
    .where('members.is_active', '=', 1)
    .where('members.removed_at', 'is', null)
    .select((eb) => [
      'members.account_id',
      'members.user_id',
      'members.epoch as member_epoch',
      'members.is_admin',
      'members.is_free',
      'members.group_id',
      'accounts.subdomain',
      'accounts.paid_until',
      eb
        .selectFrom('users')
        .whereRef('users.id', '=', 'members.user_id')
        .select('users.lang')
        .$asScalar()
        .$notNull()
        .as('lang'),
      eb.fn
        .coalesce(
          eb
            .selectFrom('roles')
            .whereRef('roles.account_id', '=', 'members.account_id')
            .whereRef('roles.id', '=', 'members.role_id')
            .select('roles.rights')
            .$asScalar(),
          'members.rights',
        )
        .as('rights'),
    ])
}

/** The active member with this amojo_id; undefined if there is none. */
export function findMemberByAmojoId(db: Db, account_id: number, amojo_id: string) {
  return activeMembers(db)
    .innerJoin('users', 'users.id', 'members.user_id')
    .where('members.account_id', '=', account_id)
    .where('users.amojo_id', '=', amojo_id)
    .executeTakeFirst()
}

/** When and by whom the access of members was ended, for joining by account, person and epoch. */
export const memberEndings = (db: Db) => db.selectFrom('member_endings').selectAll()

/** Member data that record validation needs. */
export interface MemberOfAccount {
  user_id: number
  group_id: number
  /** Whether records and tasks can be assigned to this member. */
  is_active: boolean
}

const membersOfAccount = referenceData((db, at: { account_id: number }) =>
  db
    .selectFrom('members')
    .where('account_id', '=', at.account_id)
    .select(['user_id', 'group_id', 'is_active', 'removed_at']),
)

/** Current and former members by user id: a few hundred at most, by the primary key. */
export async function findMembers(db: Db, account_id: number): Promise<ReadonlyMap<number, MemberOfAccount>> {
  return membersById(await membersOfAccount(db, { account_id }))
}

const membersById = derived(
  (rows: readonly Pick<MemberRow, 'user_id' | 'group_id' | 'is_active' | 'removed_at'>[]) =>
    new Map<number, MemberOfAccount>(
      rows.map(({ user_id, group_id, is_active, removed_at }) => [
        user_id,
        { user_id, group_id, is_active: is_active === 1 && removed_at === null },
      ]),
    ),
)

/** Ids of members to whom tasks and records can be assigned. */
export const activeIds = (members: ReadonlyMap<number, MemberOfAccount>): number[] =>
  [...members.values()].filter(({ is_active }) => is_active).map(({ user_id }) => user_id)

/** Current and former members with their names. */
export function findColleagues(db: Db, account_id: number) {
  return db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .where('members.account_id', '=', account_id)
    .select(['users.id', 'users.name', 'members.group_id', 'members.is_active', 'members.removed_at'])
    .orderBy('users.name')
    .orderBy('users.id')
    .execute()
}

export async function insertAccount(
  tx: Tx,
  account: AccountRow,
  group: GroupRow,
  role: RoleRow,
  taskTypes: TaskTypeRow[],
): Promise<void> {
  await tx.insertInto('accounts').values(account).execute()
  await tx.insertInto('groups').values(group).execute()
  await tx.insertInto('roles').values(role).execute()
  await tx.insertInto('task_types').values(taskTypes).execute()
}

export const selectAccount = (db: Db) => db.selectFrom('accounts').selectAll()

export function findAccount(db: Db, id: number): Promise<AccountRow | undefined> {
  return selectAccount(db).where('id', '=', id).executeTakeFirst()
}

const naming = referenceData((db, at: { id: number }) =>
  db.selectFrom('accounts').select(['subdomain', 'amojo_id', 'webhook_plan']).where('id', '=', at.id),
)

/**
 * How other systems know an account. A query of its own, because the account's records can be on another server. Throws if
 * there is no such account.
 */
export async function accountNaming(
  db: Db,
  id: number,
): Promise<Pick<AccountRow, 'subdomain' | 'amojo_id' | 'webhook_plan'>> {
  const [row] = await naming(db, { id })
  if (!row) throw new Error(`there is no account ${id}`)
  return row
}

export async function hasAccounts(db: Db): Promise<boolean> {
  return (await db.selectFrom('accounts').select('id').limit(1).executeTakeFirst()) !== undefined
}

export function findAccountBySubdomain(db: Db, subdomain: string): Promise<AccountRow | undefined> {
  return db.selectFrom('accounts').selectAll().where('subdomain', '=', subdomain).executeTakeFirst()
}

/** The columns of the request log's setting. */
const requestLogColumns = ['id', 'is_request_log_on', 'request_log_days', 'keeps_request_bodies'] as const
export type RequestLogColumns = Pick<AccountRow, (typeof requestLogColumns)[number]>

/** The accounts that changed the setting of the request log. */
export const listRequestLogSettings = (db: Db): Promise<RequestLogColumns[]> =>
  db
    .selectFrom('accounts')
    .select(requestLogColumns)
    .where((eb) =>
      eb.or([
        eb('is_request_log_on', 'is not', null),
        eb('request_log_days', '<>', 3),
        eb('keeps_request_bodies', '<>', 1),
      ]),
    )
    .execute()

export const requestLogSetting = (db: Db, id: number): Promise<RequestLogColumns | undefined> =>
  db.selectFrom('accounts').select(requestLogColumns).where('id', '=', id).executeTakeFirst()

/** The id of the only account of the server; undefined if there are several. */
export async function onlyAccountId(db: Db): Promise<number | undefined> {
  const ids = await db.selectFrom('accounts').select('id').orderBy('id').limit(2).execute()
  return ids.length === 1 ? ids[0]?.id : undefined
}

const findByAmojoId = cached((db, at: { amojo_id: string }) =>
  db.selectFrom('accounts').select('id').where('amojo_id', '=', at.amojo_id),
)

/** The account that a chat scope names. */
export const accountOfAmojoId = async (db: Db, amojo_id: string): Promise<number | undefined> =>
  (await findByAmojoId(db, { amojo_id }))[0]?.id

export function updateAccountRow(tx: Tx, id: number, changes: Partial<AccountRow>): Promise<unknown> {
  return tx.updateTable('accounts').set(changes).where('id', '=', id).execute()
}

const taskTypes = prepared((db, at: { account_id: number }) =>
  db.selectFrom('task_types').selectAll().where('account_id', '=', at.account_id).orderBy('id'),
)

export const listTaskTypes = (db: Db, account_id: number): Promise<TaskTypeRow[]> =>
  taskTypes(db, { account_id })

/** A subquery for the subdomain of the account in a column of the outer query. */
export function accountSubdomain(db: Db, column: string) {
  return db
    .selectFrom('accounts')
    .where('accounts.id', '=', sql.ref<number>(column))
    .select('accounts.subdomain')
    .$asScalar()
}

export async function accountNames(db: Db, ids: number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db.selectFrom('accounts').select(['id', 'name']).where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

export async function userNames(db: Db, ids: number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db.selectFrom('users').select(['id', 'name']).where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** Names and chat-service ids of users. */
export async function chatNames(
  db: Db,
  ids: number[],
): Promise<Map<number, { name: string; amojo_id: string }>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('users')
    .select(['id', 'name', 'amojo_id'])
    .where('id', 'in', ids)
    .execute()
  return new Map(rows.map(({ id, ...names }) => [id, names]))
}

/** Active memberships of one person with account names: where they can work, and what they administer. */
export function membershipsOf(db: Db, user_id: number) {
  return activeMembers(db)
    .where('members.user_id', '=', user_id)
    .select('accounts.name as account_name')
    .orderBy('accounts.id')
    .execute()
}
