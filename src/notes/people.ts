import { type Actor, activeIds, findMembers, type MemberOfAccount } from '../accounts/accounts.ts'
import type { Db } from '../db/database.ts'
import { type AddFault, notAChoice } from '../errors.ts'
import type { NotePeople } from './schemas.ts'

export type Members = ReadonlyMap<number, MemberOfAccount>

/** The members of the account, loaded only if a body names a person other than the actor. */
export async function namedMembers(db: Db, actor: Actor, drafts: readonly NotePeople[]): Promise<Members> {
  const names = drafts.flatMap(({ created_by, updated_by, responsible_user_id }) =>
    [created_by, updated_by, responsible_user_id].filter((id) => id !== undefined),
  )
  if (names.some((id) => id !== actor.user_id)) return findMembers(db, actor.account_id)
  const { user_id, group_id } = actor
  return new Map([[user_id, { user_id, group_id, is_active: true }]])
}

/** Reports unknown people. `responsible` is the current responsible person, who may have left. */
export function checkPeople(
  { created_by, updated_by, responsible_user_id }: NotePeople,
  members: Members,
  addFault: AddFault,
  responsible?: number,
): void {
  // 0 is the robot.
  const isKnown = (id: number | undefined) => id === undefined || id === 0 || members.has(id)
  if (!isKnown(created_by))
    addFault('NotSupportedChoice', 'created_by', notAChoice([0, ...activeIds(members)]))
  if (!isKnown(updated_by))
    addFault('NotSupportedChoice', 'updated_by', notAChoice([0, ...activeIds(members)]))
  if (responsible_user_id === undefined || responsible_user_id === responsible) return
  if (!members.get(responsible_user_id)?.is_active)
    addFault('NotSupportedChoice', 'responsible_user_id', notAChoice(activeIds(members)))
}
