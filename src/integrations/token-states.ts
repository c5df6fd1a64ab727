import { findAuditCause } from '../accounts/accounts.ts'
import { type AuditAction, auditAreas } from '../accounts/audit-types.ts'
import type { Db } from '../db/database.ts'
import { sha256 } from '../secrets.ts'
import { findClient } from './queries.ts'
import { findCode, findTokenState } from './token-queries.ts'

/** What the server knows about a token or a code, of which the caller has the text. */
export interface TokenState {
  kind: 'access_token' | 'refresh_token' | 'code'
  account_id: number
  integration_id: string
  user_id: number
  /** The consent that it belongs to, and its number in it. A code has no number, and no consent until it is exchanged. */
  grant_id: string | null
  generation: number | null
  state: 'valid' | 'expired' | 'replaced' | 'revoked'
  /** When the state began, in Unix seconds, if it is known. */
  at: number | null
  /** The request that caused the state, if it is known. */
  request_id: string | null
}

const LONGEST = 4_096

/** Changes that end the tokens of an installation or of a person. */
const endings: readonly AuditAction[] = [
  'tokens.revoked',
  'integration.disabled',
  'user.deactivated',
  'user.removed',
]
/** The actions with which a grant can be revoked by itself. */
const own = new Set<string>(auditAreas.integrations)

/** Finds a token or a code by its text; null if this server does not know it. */
export async function tokenState(db: Db, text: string, now: number): Promise<TokenState | null> {
  if (text === '' || text.length > LONGEST) return null
  const hash = sha256(text)
  const [pair] = await findTokenState(db, { token_hash: hash })
  if (!pair) return codeState(db, hash, now)
  const isAccess = hash.equals(pair.access_hash)
  const { account_id, integration_id, user_id, grant_id, generation } = pair
  const expires_at = (isAccess ? pair.access_expires_at : pair.refresh_expires_at) ?? 0
  const found = { account_id, integration_id, user_id, grant_id, generation }
  const kind = isAccess ? ('access_token' as const) : ('refresh_token' as const)
  if (!pair.is_live) return { ...found, kind, state: 'revoked', ...(await endingOf(db, pair)) }
  // A child that was used replaces the refresh token of its parent. The parent's access token stays valid (A6).
  if (!isAccess && pair.child_issued_at !== null && !pair.is_child_pending)
    return { ...found, kind, state: 'replaced', at: pair.child_issued_at, request_id: null }
  if (expires_at <= now) return { ...found, kind, state: 'expired', at: expires_at, request_id: null }
  return { ...found, kind, state: 'valid', at: null, request_id: null }
}

async function codeState(db: Db, hash: Buffer, now: number): Promise<TokenState | null> {
  const [code] = await findCode(db, { hash })
  if (!code) return null
  const { account_id, integration_id, user_id, grant_id, consumed_at, expires_at, is_live } = code
  const about = { account_id, integration_id, user_id, grant_id, generation: null }
  const found = { ...about, kind: 'code' as const, request_id: null }
  if (consumed_at !== null) return { ...found, state: 'replaced', at: consumed_at }
  if (!is_live) return { ...found, state: 'revoked', at: null }
  const isOld = expires_at <= now
  return { ...found, state: isOld ? 'expired' : 'valid', at: isOld ? expires_at : null }
}

type Ended = Pick<TokenState, 'account_id' | 'integration_id' | 'user_id'> & {
  revoked_at: number | null
  revoked_for: string | null
}

/** The change that ended a grant, from the audit log. */
async function endingOf(
  db: Db,
  { account_id, integration_id, user_id, revoked_at, revoked_for }: Ended,
): Promise<Pick<TokenState, 'at' | 'request_id'>> {
  const actions = own.has(revoked_for ?? '') ? [revoked_for as AuditAction] : endings
  const cause = await findAuditCause(db, account_id, actions, { integration_id, user_id })
  return { at: revoked_at ?? cause?.at ?? null, request_id: cause?.request_id ?? null }
}

/** The developer account of an integration; undefined if there is none. */
export const accountOfClient = async (db: Db, client_id: string): Promise<number | undefined> =>
  (await findClient(db, client_id))?.account_id
