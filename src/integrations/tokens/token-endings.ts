import { findAuditCause } from '../../accounts/accounts.ts'
import type { AuditAction } from '../../accounts/audit/audit-types.ts'
import type { Db } from '../../db/database.ts'
import type { GrantRow } from '../../db/tables.ts'
import { type EpochEnds, epochEnds, type Granted, type PairHistoryRow } from './token-history-queries.ts'
import {
  type FamilyReason,
  type PairState,
  type RevocationCause,
  revocationCauses,
  type TokenReason,
} from './token-reason-types.ts'

/** Why, when, by whom and by which request a token ended; null: not known. */
export interface End<Reason extends TokenReason = TokenReason> {
  reason: Reason
  /** Unix seconds. */
  at: number | null
  /** The person; 0 if none did it. */
  by: number | null
  request_id: string | null
  /** Of a token that was replaced: the first use of the next pair. */
  used_at: number | null
  used_request_id: string | null
}

type Revoked = Pick<GrantRow, 'revoked_at' | 'revoked_for' | 'revoked_by' | 'revoked_request_id'>
type FamilyEnd = End<FamilyReason>

/** Changes that end the tokens of an installation or of a person. */
const endings: readonly AuditAction[] = ['integration.disabled', 'user.deactivated', 'user.removed']

const UNUSED = { used_at: null, used_request_id: null }

/** The first thing that ended a family that is not live. */
export function familyEnd(row: Revoked & EpochEnds): FamilyEnd {
  const found: FamilyEnd[] = []
  const add = (reason: FamilyReason, at: number | null, by: number | null, request_id: string | null) => {
    if (at !== null) found.push({ reason, at, by, request_id, ...UNUSED })
  }
  const cause = revocationCauses[row.revoked_for as RevocationCause] ?? 'access_lost'
  add(cause, row.revoked_at, row.revoked_by, row.revoked_request_id)
  add('integration_disabled', row.disabled_at, row.disabled_by, row.disabled_request_id)
  const left = row.is_removal ? 'person_removed' : 'person_deactivated'
  add(left, row.left_at, row.left_by, row.left_request_id)
  const [first] = found.toSorted((a, b) => (a.at as number) - (b.at as number))
  return first ?? { reason: 'access_lost', at: null, by: null, request_id: null, ...UNUSED }
}

/** The same by look-ups. Families that ended before endings were stored have theirs in the audit log. */
export async function findFamilyEnd(db: Db, granted: Granted & Partial<Revoked>): Promise<FamilyEnd> {
  const { account_id, integration_id, user_id } = granted
  const revoked = { revoked_at: null, revoked_for: null, revoked_by: null, revoked_request_id: null }
  const end = familyEnd({ ...revoked, ...granted, ...(await epochEnds(db, granted)) })
  if (end.request_id !== null) return end
  const cause = await findAuditCause(db, account_id, endings, { integration_id, user_id })
  return { ...end, at: end.at ?? cause?.at ?? null, request_id: cause?.request_id ?? null }
}

export const expired = (at: number, altered_request_id: string | null = null): End => ({
  ...{ reason: 'expired', at, by: null, request_id: altered_request_id },
  ...UNUSED,
})

/** The ends of both tokens of a pair; null: accepted. */
export interface PairEnds {
  state: PairState
  access: End | null
  /** null also if it has none. */
  refresh: End | null
}

/**
 * The state and the ends of a pair. Each token has the first of the things that ended it: a pair that was replaced long
 * before its family was revoked is replaced.
 */
export function pairEnds(pair: PairHistoryRow, family: FamilyEnd | null, now: number): PairEnds {
  const { access_expires_at, refresh_expires_at, altered_request_id } = pair
  const expiry = (at: number | null) => (at !== null && at <= now ? expired(at, altered_request_id) : null)
  const access = firstOf([expiry(access_expires_at), family])
  const refresh =
    refresh_expires_at === null ? null : firstOf([replacement(pair), expiry(refresh_expires_at), family])
  const last = refresh_expires_at === null ? access : refresh
  return { state: last ? stateAfter(last) : stateBefore(pair), access, refresh }
}

/** The moment from which a token was refused. */
const refusedFrom = ({ at, used_at }: End): number => used_at ?? at ?? Number.POSITIVE_INFINITY

const firstOf = (ends: (End | null)[]): End | null =>
  ends.filter((end) => end !== null).toSorted((a, b) => refusedFrom(a) - refusedFrom(b))[0] ?? null

const stateAfter = ({ reason }: End): PairState =>
  reason === 'replaced' || reason === 'expired' ? reason : 'revoked'

const stateBefore = ({ is_pending, first_used_at, child_issued_at }: PairHistoryRow): PairState =>
  is_pending || (first_used_at === null && child_issued_at === null) ? 'unused' : 'in_use'

/** A child that was used replaces the refresh token of its parent. The parent's access token stays valid (A6). */
function replacement(pair: PairHistoryRow): End | null {
  const { child_issued_at: at, child_request_id: request_id, is_child_pending } = pair
  if (at === null || is_child_pending) return null
  const { child_used_at, child_used_request_id: used_request_id } = pair
  return { reason: 'replaced', at, by: null, request_id, used_at: child_used_at || null, used_request_id }
}
