import { randomUUID } from 'node:crypto'
import type { Context } from '../../context.ts'
import type { Db, Tx } from '../../db/database.ts'
import { nextIds } from '../../db/dialect.ts'
import { isUniqueViolation } from '../../db/failures.ts'
import type { MemberRow, UserRow } from '../../db/tables.ts'
import { type Fault, invalid, Refusal } from '../../errors.ts'
import { DEFAULT_GROUP } from '../members/account-defaults.ts'
import {
  administeredBy,
  countPeople,
  findMemberRows,
  findUsersByEmail,
  insertMembers,
  insertUsers,
  lockAccount,
  updateMember,
} from '../members/people-queries.ts'
import { findAccount } from '../members/queries.ts'
import { completeRights } from '../members/rights.ts'
import { type MemberDraft, membershipOf, placeFaults, refuseFaults } from './person-draft.ts'

/**
 * Adding people to an account. An e-mail identifies one person on the whole server, who signs in with one password
 * and can be a member of several accounts. Adding an existing e-mail therefore adds the existing person, who keeps
 * their name and password. Otherwise an administrator could create a person with a password known to them and wait
 * for another account to add that person. So over HTTP, only accounts that know the person can add them: an account
 * of which they were a member, or an administrator of an account of which they are a member. The operator can
 * always add them on the command line.
 */
export interface NewMember extends NamedDraft {
  password_hash: string
}

/** A draft, with the id by which faults name it. */
interface NamedDraft {
  draft: MemberDraft
  request_id: string
}

const MAX_PEOPLE = 100

/** Adds all people or none, and returns their ids in the order of `newMembers`. `admin_id` is null for the operator. */
export async function insertNewMembers(
  ctx: Context,
  tx: Tx,
  account_id: number,
  newMembers: NewMember[],
  admin_id: number | null,
): Promise<number[]> {
  await lockAccount(tx, account_id)
  const known = await checkDrafts(tx, account_id, newMembers, admin_id)
  const users = await addUsers(ctx, tx, account_id, newMembers, known)
  const joining: MemberRow[] = []
  for (const { draft } of newMembers) {
    const user = users.get(emailOf(draft)) as UserRow
    const member = memberOf(ctx, account_id, user.id, draft)
    const former = known.members.get(user.id)
    if (!former) joining.push(member)
    // The epoch keeps counting, so grants from the earlier membership stay invalid (A7).
    else await updateMember(tx, account_id, user.id, { ...member, epoch: former.epoch + 1 })
  }
  if (joining.length > 0) await insertMembers(tx, joining)
  return newMembers.map(({ draft }) => (users.get(emailOf(draft)) as UserRow).id)
}

/** Refuses drafts that cannot be added; returns who is known already. `admin_id` is null for the operator. */
export async function checkDrafts(
  db: Db,
  account_id: number,
  drafts: NamedDraft[],
  admin_id: number | null,
): Promise<Known> {
  if ((await countPeople(db, account_id)) + drafts.length > MAX_PEOPLE)
    throw new Refusal('invalid', `An account has at most ${MAX_PEOPLE} users.`, { code: 'user_limit' })
  const known = await knownPeople(db, account_id, drafts, admin_id)
  refuseFaults([
    ...drafts.flatMap((draft) => draftFaults(draft, known, admin_id)),
    ...(await placeFaults(
      db,
      account_id,
      drafts.map(({ draft, request_id }) => ({ ...membershipOf(draft), request_id })),
    )),
  ])
  return known
}

/** E-mails are compared and stored in lower case. */
export const emailOf = ({ email }: { email: string }): string => email.normalize('NFC').toLowerCase()

interface Known {
  users: Map<string, UserRow>
  members: Map<number, MemberRow>
  administered: Set<number>
}

async function knownPeople(
  db: Db,
  account_id: number,
  drafts: NamedDraft[],
  admin_id: number | null,
): Promise<Known> {
  const users = await findUsersByEmail(
    db,
    drafts.map(({ draft }) => emailOf(draft)),
  )
  const ids = users.map(({ id }) => id)
  const members = await findMemberRows(db, account_id, ids)
  return {
    users: new Map(users.map((user) => [user.email, user])),
    members: new Map(members.map((member) => [member.user_id, member])),
    administered: admin_id === null ? new Set(ids) : await administeredBy(db, admin_id, ids),
  }
}

function draftFaults({ draft, request_id }: NamedDraft, known: Known, admin_id: number | null): Fault[] {
  const fault = (detail: string): Fault[] => [{ request_id, code: 'NotUnique', path: 'email', detail }]
  const user = known.users.get(emailOf(draft))
  if (!user) return []
  const member = known.members.get(user.id)
  if (member && member.removed_at === null) return fault('A user with this e-mail is already in the account.')
  if (member || admin_id === null || known.administered.has(user.id)) return []
  return fault(
    'This e-mail belongs to a person of another account. Only the operator of the server can add this person.',
  )
}

async function addUsers(
  ctx: Context,
  tx: Tx,
  account_id: number,
  newMembers: NewMember[],
  { users }: Known,
): Promise<Map<string, UserRow>> {
  const fresh = newMembers.filter(({ draft }) => !users.has(emailOf(draft)))
  if (fresh.length === 0) return users
  const account = await findAccount(tx, account_id)
  const ids = await nextIds(tx, 'users', fresh.length)
  const now = ctx.now()
  const rows = fresh.map(({ draft, password_hash }, index) => ({
    id: ids[index] as number,
    uuid: randomUUID(),
    amojo_id: randomUUID(),
    email: emailOf(draft),
    name: draft.name,
    lang: draft.lang ?? account?.language ?? 'en',
    phone_number: draft.phone_number ?? null,
    password_hash,
    created_at: now,
    updated_at: now,
  }))
  try {
    await insertUsers(tx, rows)
  } catch (error) {
    // A concurrent request added the same e-mail.
    if (isUniqueViolation(error))
      throw invalid('email', 'NotUnique', 'A user with this e-mail has just been added.')
    throw error
  }
  return new Map([...users, ...rows.map((row): [string, UserRow] => [row.email, row])])
}

function memberOf(ctx: Context, account_id: number, user_id: number, draft: MemberDraft): MemberRow {
  const { is_admin, is_free, role_id, group_id, rights } = membershipOf(draft)
  return {
    account_id,
    user_id,
    role_id: role_id ?? null,
    group_id: group_id ?? DEFAULT_GROUP,
    rights: JSON.stringify(completeRights(rights)),
    is_admin: is_admin ? 1 : 0,
    is_free: is_free ? 1 : 0,
    is_active: 1,
    user_rank: null,
    epoch: 0,
    created_at: ctx.now(),
    removed_at: null,
  }
}
