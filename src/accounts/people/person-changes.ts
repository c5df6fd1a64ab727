import { isDeepStrictEqual } from 'node:util'
import type { Context } from '../../context.ts'
import type { Tx } from '../../db/database.ts'
import type { MemberEndingRow, MemberRow, UserRow } from '../../db/tables.ts'
import { type Fault, Refusal } from '../../errors.ts'
import { auditAs } from '../audit/audit.ts'
import { type Actor, requireAdmin } from '../members/actor.ts'
import {
  belongsElsewhere,
  findPersonRows,
  insertMemberEnding,
  lockAccount,
  otherActiveAdmins,
  type PersonRow,
  updateMember,
  updateUser,
} from '../members/people-queries.ts'
import { completeRights, type Rights } from '../members/rights.ts'
import type { UserPatch } from '../members/schemas.ts'
import { deleteSessionsIn } from '../sessions/session-queries.ts'
import { userNotFound } from './people.ts'
import { membershipOf, placeFaults, refuseFaults, rightsFaults } from './person-draft.ts'

/** Changes a person. Rights that the patch omits stay the same. A patch without differences is not recorded. */
export async function changePerson(
  ctx: Context,
  actor: Actor,
  id: number,
  patch: UserPatch,
): Promise<PersonRow> {
  return change(ctx, actor, id, async (tx, person) => {
    const member = await memberChanges(tx, actor, person, patch)
    const user = userChanges(person, patch)
    const names = [...Object.keys(user), ...Object.keys(member)]
    if (names.length === 0) return
    if (Object.keys(user).length > 0) {
      await refuseShared(tx, actor, person)
      await updateUser(tx, id, { ...user, updated_at: ctx.now() })
    }
    if (Object.keys(member).length > 0) await updateMember(tx, actor.account_id, id, member)
    await auditAs(ctx, tx, actor, 'user.changed', { id, changed: names })
  })
}

export const activatePerson = (ctx: Context, actor: Actor, id: number): Promise<PersonRow> =>
  change(ctx, actor, id, (tx, person) => activate(ctx, tx, actor, person))

/**
 * Deactivates a person, and ends their sessions, tokens, pending pairs and codes in this account in the same
 * transaction (A7).
 */
export const deactivatePerson = (ctx: Context, actor: Actor, id: number): Promise<PersonRow> =>
  change(ctx, actor, id, (tx, person) => deactivate(ctx, tx, actor, person))

/** Activates all these people or none; throws Refusal('invalid') for unknown ids. */
export const activatePeople = (ctx: Context, actor: Actor, named: NamedPerson[]): Promise<void> =>
  changeEach(ctx, actor, named, (tx, person) => activate(ctx, tx, actor, person))

/** Deactivates all these people or none, as deactivatePerson does. */
export const deactivatePeople = (ctx: Context, actor: Actor, named: NamedPerson[]): Promise<void> =>
  changeEach(ctx, actor, named, (tx, person) => deactivate(ctx, tx, actor, person))

async function activate(ctx: Context, tx: Tx, actor: Actor, { id, is_active }: PersonRow): Promise<void> {
  if (is_active) return
  await updateMember(tx, actor.account_id, id, { is_active: 1 })
  await auditAs(ctx, tx, actor, 'user.activated', { id })
}

async function deactivate(ctx: Context, tx: Tx, actor: Actor, person: PersonRow): Promise<void> {
  if (!person.is_active) return
  await refuseLoss(tx, actor, person)
  await takeAccess(ctx, tx, actor, person, { is_removal: 0 })
  await auditAs(ctx, tx, actor, 'user.deactivated', { id: person.id })
}

/** Deactivates a person, removes them from the list of people, and releases their role. */
export async function removePerson(ctx: Context, actor: Actor, id: number): Promise<void> {
  await change(ctx, actor, id, async (tx, person) => {
    await refuseLoss(tx, actor, person)
    await takeAccess(ctx, tx, actor, person, { is_removal: 1 })
    await updateMember(tx, actor.account_id, id, { removed_at: ctx.now(), role_id: null, is_admin: 0 })
    await auditAs(ctx, tx, actor, 'user.removed', { id })
  })
}

/** Changes a person as an administrator, one change at a time per account; returns the person after the change. */
async function change(
  ctx: Context,
  actor: Actor,
  id: number,
  apply: (tx: Tx, person: PersonRow) => Promise<void>,
): Promise<PersonRow> {
  requireAdmin(actor)
  return ctx.db.transaction().execute(async (tx) => {
    await lockAccount(tx, actor.account_id)
    const [person] = await findPersonRows(tx, actor.account_id, [id])
    if (!person) throw userNotFound()
    await apply(tx, person)
    const [changed] = await findPersonRows(tx, actor.account_id, [id])
    return changed ?? person
  })
}

/** A person in an item of a batch. */
export interface NamedPerson {
  id: number
  request_id?: string | number | undefined
}

/** Changes several people, in the order in which the batch names them. */
async function changeEach(
  ctx: Context,
  actor: Actor,
  named: readonly NamedPerson[],
  apply: (tx: Tx, person: PersonRow) => Promise<void>,
): Promise<void> {
  requireAdmin(actor)
  await ctx.db.transaction().execute(async (tx) => {
    await lockAccount(tx, actor.account_id)
    const ids = [...new Set(named.map(({ id }) => id))]
    const people = new Map((await findPersonRows(tx, actor.account_id, ids)).map((row) => [row.id, row]))
    refuseFaults(
      named.flatMap(({ id, request_id }, i): Fault[] => {
        if (people.has(id)) return []
        const detail = 'User not found.'
        return [{ request_id: String(request_id ?? i), code: 'NotSupportedChoice', path: 'id', detail }]
      }),
    )
    for (const id of ids) await apply(tx, people.get(id) as PersonRow)
  })
}

/** Refuses changes that would leave the account without an active administrator. */
async function refuseLoss(tx: Tx, actor: Actor, person: PersonRow): Promise<void> {
  if (person.id === actor.user_id)
    throw new Refusal('conflict', 'You cannot remove your own access.', { code: 'own_access' })
  if (!person.is_admin || !person.is_active) return
  if ((await otherActiveAdmins(tx, actor.account_id, person.id)).length === 0)
    throw new Refusal('conflict', 'This is the last administrator of the account.', {
      code: 'last_administrator',
    })
}

async function takeAccess(
  ctx: Context,
  tx: Tx,
  { account_id, user_id: ended_by, request_id }: Actor,
  { id, epoch, is_active }: PersonRow,
  { is_removal }: Pick<MemberEndingRow, 'is_removal'>,
): Promise<void> {
  await updateMember(tx, account_id, id, { is_active: 0, epoch: epoch + 1 })
  // A person without access has no tokens of this epoch.
  if (is_active)
    await insertMemberEnding(tx, {
      ...{ account_id, user_id: id, epoch, is_removal },
      ...{ at: ctx.now(), ended_by, request_id },
    })
  await deleteSessionsIn(tx, account_id, id)
}

async function memberChanges(
  tx: Tx,
  actor: Actor,
  person: PersonRow,
  patch: UserPatch,
): Promise<Partial<MemberRow>> {
  const { is_admin, is_free, role_id, group_id, rights } = membershipOf(patch)
  const current = JSON.parse(person.rights) as Rights
  const own = completeRights({ ...current, ...rights })
  refuseFaults([
    ...rightsFaults(own),
    ...(await placeFaults(tx, actor.account_id, [{ role_id, group_id, request_id: '0' }])),
  ])
  if (person.is_admin && is_admin === false) await refuseLoss(tx, actor, person)
  return differing(person, {
    is_admin: flag(is_admin),
    is_free: flag(is_free),
    role_id,
    group_id,
    rights: isDeepStrictEqual(own, current) ? undefined : JSON.stringify(own),
  })
}

const userChanges = (person: PersonRow, { name, lang, phone_number }: UserPatch): Partial<UserRow> =>
  differing(person, { name, lang, phone_number })

const flag = (value: boolean | undefined) => (value === undefined ? undefined : value ? 1 : 0)

/** The wanted values that differ from the current ones. */
function differing<T extends object>(now: T, wanted: { [K in keyof T]?: T[K] | undefined }): Partial<T> {
  const changed = Object.entries(wanted).filter(
    ([name, value]) => value !== undefined && value !== now[name as keyof T],
  )
  return Object.fromEntries(changed) as Partial<T>
}

/** Refuses to change the profile of a person who belongs to several accounts: no single account owns it. */
async function refuseShared(tx: Tx, actor: Actor, person: PersonRow): Promise<void> {
  if (person.id === actor.user_id || !(await belongsElsewhere(tx, actor.account_id, person.id))) return
  const sentence =
    'This person also belongs to other accounts. Only they can change their name, language and telephone number.'
  throw new Refusal('forbidden', sentence, { code: 'shared_person' })
}
