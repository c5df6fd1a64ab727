import { Value } from 'typebox/value'
import type { Context } from '../../context.ts'
import { type Fault, Refusal } from '../../errors.ts'
import { auditAs } from '../audit/audit.ts'
import { type Actor, requireAdmin } from '../members/actor.ts'
import {
  countPeople,
  findPersonRows,
  findUsersByEmail,
  listPersonRows,
  type PersonRow,
} from '../members/people-queries.ts'
import { NewUser } from '../members/schemas.ts'
import { hashPassword, NO_PASSWORD } from '../passwords/passwords.ts'
import { checkDrafts, emailOf, insertNewMembers } from './new-members.ts'
import { draftFaults, type MemberDraft, refuseFaults } from './person-draft.ts'

export type { MemberDraft }

/**
 * Adds a member without checking any rights, for the operator and for tests, and returns the user's id. An existing
 * person keeps their password. Throws Refusal('invalid').
 */
export async function addMember(ctx: Context, account_id: number, draft: MemberDraft): Promise<number> {
  refuseFaults([...formFaults(draft), ...draftFaults(draft, '0')])
  const newMember = { draft, password_hash: await hashOf(draft), request_id: '0' }
  const [id] = await ctx.db
    .transaction()
    .execute((tx) => insertNewMembers(ctx, tx, account_id, [newMember], null))
  return id as number
}

/** The checks that a route's schema does for HTTP requests. */
function formFaults({ name, email, password }: MemberDraft): Fault[] {
  const wrong = [
    Value.Check(NewUser.properties.name, name) ? [] : ['name'],
    Value.Check(NewUser.properties.email, email) ? [] : ['email'],
    password === null || Value.Check(NewUser.properties.password, password) ? [] : ['password'],
  ].flat()
  const details: Record<string, string> = { password: 'This value should have 12 to 256 characters.' }
  return wrong.map((path) => {
    const detail = details[path] ?? `This value is not a valid ${path}.`
    return { request_id: '0', code: 'InvalidFormat', path, detail }
  })
}

export const hashOf = async ({ password }: Pick<MemberDraft, 'password'>): Promise<string> =>
  password === null ? NO_PASSWORD : await hashPassword(password)

export interface AddedPerson extends PersonRow {
  /** The person was already known to this server, and keeps their name and password. */
  is_known: boolean
}

/** Adds all people or none, for administrators; returns them in the order of the drafts. */
export async function addPeople(ctx: Context, actor: Actor, drafts: NewUser[]): Promise<AddedPerson[]> {
  requireAdmin(actor)
  const named = drafts.map((draft, index) => ({ draft, request_id: String(draft.request_id ?? index) }))
  refuseFaults(named.flatMap(({ draft, request_id }) => draftFaults(draft, request_id)))
  refuseTwins(named)
  // A hash costs much time, so only passwords that will be stored are hashed.
  const { users } = await checkDrafts(ctx.db, actor.account_id, named, actor.user_id)
  const isKnown = (draft: NewUser) => users.has(emailOf(draft))
  const newMembers = await Promise.all(
    named.map(async (one) => ({
      ...one,
      password_hash: isKnown(one.draft) ? NO_PASSWORD : await hashOf(one.draft),
    })),
  )
  return ctx.db.transaction().execute(async (tx) => {
    const known = new Set((await findUsersByEmail(tx, drafts.map(emailOf))).map(({ id }) => id))
    const ids = await insertNewMembers(ctx, tx, actor.account_id, newMembers, actor.user_id)
    const rows = new Map((await findPersonRows(tx, actor.account_id, ids)).map((row) => [row.id, row]))
    await auditAs(ctx, tx, actor, 'user.added', ...ids.map((id) => ({ id })))
    return ids.map((id) => ({ ...(rows.get(id) as PersonRow), is_known: known.has(id) }))
  })
}

function refuseTwins(named: { draft: NewUser; request_id: string }[]): void {
  const twins = named.filter(
    ({ draft }, index) => named.findIndex((other) => emailOf(other.draft) === emailOf(draft)) < index,
  )
  const detail = 'Another item of this request has the same e-mail.'
  refuseFaults(twins.map(({ request_id }) => ({ request_id, code: 'NotUnique', path: 'email', detail })))
}

/** Lists people in the order of their ids, active or not, and their total count. */
export async function listPeople(ctx: Context, actor: Actor, page: { limit: number; offset: number }) {
  requireAdmin(actor)
  const total = await countPeople(ctx.db, actor.account_id)
  return { total, people: await listPersonRows(ctx.db, actor.account_id, page) }
}

export async function readPerson(ctx: Context, actor: Actor, id: number): Promise<PersonRow> {
  requireAdmin(actor)
  const [row] = await findPersonRows(ctx.db, actor.account_id, [id])
  if (!row) throw userNotFound()
  return row
}

/** The person in whose name the actor acts. */
export async function readOwner(ctx: Context, { account_id, user_id }: Actor): Promise<PersonRow> {
  const [row] = await findPersonRows(ctx.db, account_id, [user_id])
  if (!row) throw userNotFound()
  return row
}

export const userNotFound = () => new Refusal('not_found', 'User not found in this account.')
