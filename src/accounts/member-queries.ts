import type { Db } from '../db/database.ts'

export interface NamedMember {
  id: number
  name: string
  email: string
}

/** The active members of an account by what people call them. */
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

/** In which zone an account lives. */
export async function accountTimezone(db: Db, account_id: number): Promise<string> {
  const { timezone } = await db
    .selectFrom('accounts')
    .select('timezone')
    .where('id', '=', account_id)
    .executeTakeFirstOrThrow()
  return timezone
}
