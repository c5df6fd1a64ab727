import type { Db } from '../../db/database.ts'

export interface NamedMember {
  id: number
  name: string
  email: string
}

/** Active members with their names and e-mails. */
export function findNamedMembers(db: Db, account_id: number): Promise<NamedMember[]> {
  return db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .where('members.account_id', '=', account_id)
    .where('members.is_active', '=', 1)
    .where('members.removed_at', 'is', null)
    .select(['users.id', 'users.name', 'users.email'])
    .orderBy('users.id')
    .execute()
}

/** The time zone of the account. */
export async function accountTimezone(db: Db, account_id: number): Promise<string> {
  const { timezone } = await db
    .selectFrom('accounts')
    .select('timezone')
    .where('id', '=', account_id)
    .executeTakeFirstOrThrow()
  return timezone
}

export interface ListedAccount {
  id: number
  subdomain: string
  name: string
  created_at: number
  paid_until: number | null
  /** Active members. */
  people: number
}

/** All accounts of the server with their number of people, for the operator. */
export async function listAccounts(db: Db): Promise<ListedAccount[]> {
  const rows = await db
    .selectFrom('accounts')
    .select(['id', 'subdomain', 'name', 'created_at', 'paid_until'])
    .select((eb) =>
      eb
        .selectFrom('members')
        .whereRef('members.account_id', '=', 'accounts.id')
        .where('members.is_active', '=', 1)
        .where('members.removed_at', 'is', null)
        .select((each) => each.fn.countAll<number>().as('count'))
        .as('people'),
    )
    .orderBy('id')
    .execute()
  return rows.map((row) => ({ ...row, people: Number(row.people) }))
}
