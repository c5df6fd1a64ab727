import type { Static } from 'typebox'
import { Value } from 'typebox/value'
import type { Db } from '../../db/database.ts'
import { type Fault, notAChoice, Refusal } from '../../errors.ts'
import { DEFAULT_GROUP } from '../members/account-defaults.ts'
import { completeRights, contradictions, Rights } from '../members/rights.ts'
import { knownGroups, knownRoles } from '../members/role-queries.ts'
import type { NewUser } from '../members/schemas.ts'
import { passwordWeakness } from '../passwords/password-rules.ts'

/** A new member. Defaults: the account's language, the first group, no rights. */
export type MemberDraft = Omit<NewUser, 'password' | 'request_id'> & {
  /** null: the person cannot sign in with a password. */
  password: string | null
}

/** The membership part of a draft or a patch; undefined means not specified. */
export interface MembershipDraft {
  is_admin: boolean | undefined
  is_free: boolean | undefined
  role_id: number | null | undefined
  group_id: number | undefined
  rights: Partial<Rights> | undefined
}

/** The platform accepts these members beside the rights or inside them; those beside take precedence. */
export function membershipOf(
  draft: Pick<NewUser, 'is_admin' | 'role_id' | 'group_id' | 'rights'>,
): MembershipDraft {
  const { rights } = draft
  const group_id = draft.group_id ?? rights?.group_id
  return {
    is_admin: draft.is_admin ?? rights?.is_admin,
    is_free: rights?.is_free,
    role_id: draft.role_id === undefined ? rights?.role_id : draft.role_id,
    group_id: group_id === null ? DEFAULT_GROUP : group_id,
    rights: rights && cleanRights(rights),
  }
}

const NamedRights = Rights.properties
/** The known rights of a body. Everything else is ignored and not stored (V2). */
export function cleanRights(rights: Partial<Rights>): Partial<Rights> {
  const known = Object.entries(NamedRights).flatMap(([name, schema]) => {
    const value = rights[name as keyof Rights]
    return value === undefined ? [] : [[name, Value.Clean(schema, structuredClone(value))]]
  })
  return Object.fromEntries(known) as Static<typeof Rights>
}

/** Checks a draft without the database; `request_id` identifies it in a batch. */
export function draftFaults(draft: MemberDraft, request_id: string): Fault[] {
  const faults = rightsFaults(membershipOf(draft).rights, request_id)
  const weakness = draft.password === null ? null : passwordWeakness(draft.password, draft)
  if (weakness) faults.push({ request_id, code: 'NotSupportedChoice', path: 'password', detail: weakness })
  return faults
}

export function rightsFaults(rights: Partial<Rights> | undefined, request_id = '0'): Fault[] {
  return contradictions(completeRights(rights)).map(({ path, detail }) => ({
    request_id,
    code: 'NotSupportedChoice',
    path: `rights.${path}`,
    detail,
  }))
}

/** Checks that roles and groups exist in the account. */
export async function placeFaults(
  db: Db,
  account_id: number,
  places: (Pick<MembershipDraft, 'role_id' | 'group_id'> & { request_id: string })[],
): Promise<Fault[]> {
  const roles = await knownRoles(db, account_id)
  const groups = await knownGroups(db, account_id)
  const unknown = (request_id: string, path: string, choices: ReadonlySet<number>): Fault => ({
    request_id,
    code: 'NotSupportedChoice',
    path,
    detail: notAChoice(choices),
  })
  return places.flatMap(({ role_id, group_id, request_id }) => [
    ...(role_id == null || roles.has(role_id) ? [] : [unknown(request_id, 'role_id', roles)]),
    ...(group_id === undefined || groups.has(group_id) ? [] : [unknown(request_id, 'group_id', groups)]),
  ])
}

/** Refuses the whole batch if there are faults (V5). */
export function refuseFaults(faults: Fault[]): void {
  if (faults.length > 0) throw new Refusal('invalid', 'Request validation failed', { faults })
}
