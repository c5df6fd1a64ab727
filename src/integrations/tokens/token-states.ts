import type { Db } from '../../db/database.ts'
import { sha256 } from '../../secrets.ts'
import { findClient } from '../registry/queries.ts'
import { type End, expired, familyEnd, findFamilyEnd, pairEnds } from './token-endings.ts'
import { findTokenState, listFamilies, type TokenStateRow } from './token-history-queries.ts'
import { type CodeRow, findCode } from './token-queries.ts'

/** The state of a token or a code, of which the caller has the text. */
export interface TokenState {
  kind: 'access_token' | 'refresh_token' | 'code'
  account_id: number
  integration_id: string
  user_id: number
  /** The consent that it belongs to, and its number in it. A code has no number, and no consent until it is exchanged. */
  grant_id: string | null
  generation: number | null
  state: 'valid' | 'expired' | 'replaced' | 'revoked'
  /** Why it is not valid. */
  end: End | null
}

/** A token or a code with its row, and with what ended its whole family. */
export type FoundToken = TokenState & { family: End | null } & (
    | { pair: TokenStateRow; code: null }
    | { pair: null; code: CodeRow }
  )

const LONGEST = 4_096

/** Finds a token or a code by its text; null if this server does not know it. */
export async function tokenState(db: Db, text: string, now: number): Promise<FoundToken | null> {
  if (text === '' || text.length > LONGEST) return null
  const hash = sha256(text)
  const [pair] = await findTokenState(db, { token_hash: hash })
  if (!pair) return codeState(db, hash, now)
  const { account_id, integration_id, user_id, id: grant_id, generation } = pair
  const isAccess = hash.equals(pair.access_hash)
  const family = pair.is_live ? null : await findFamilyEnd(db, pair)
  const { access, refresh } = pairEnds(pair, family, now)
  const end = isAccess ? access : refresh
  return {
    kind: isAccess ? 'access_token' : 'refresh_token',
    ...{ account_id, integration_id, user_id, grant_id, generation },
    ...{ state: stateOf(end), end },
    ...{ family, pair, code: null },
  }
}

async function codeState(db: Db, hash: Buffer, now: number): Promise<FoundToken | null> {
  const [code] = await findCode(db, { hash })
  if (!code) return null
  const { account_id, integration_id, user_id, grant_id } = code
  const end = await codeEnd(db, code, now)
  return {
    kind: 'code',
    ...{ account_id, integration_id, user_id, grant_id, generation: null },
    ...{ state: stateOf(end), end },
    ...{ family: await familyOfCode(db, code), pair: null, code },
  }
}

async function codeEnd(db: Db, code: CodeRow, now: number): Promise<End | null> {
  const { consumed_at, consumed_request_id, expires_at } = code
  if (consumed_at !== null) {
    const none = { by: null, used_at: null, used_request_id: null }
    return { reason: 'exchanged', at: consumed_at, request_id: consumed_request_id, ...none }
  }
  if (!code.is_live) return findFamilyEnd(db, code)
  return expires_at <= now ? expired(expires_at) : null
}

/** The end of the tokens that a code was exchanged for. */
async function familyOfCode(db: Db, { grant_id, account_id }: CodeRow): Promise<End | null> {
  const family = grant_id === null ? undefined : (await listFamilies(db, account_id, { id: grant_id }, 1))[0]
  return family && !family.is_live ? familyEnd(family) : null
}

const byReason = { expired: 'expired', replaced: 'replaced', exchanged: 'replaced' } as const

function stateOf(end: End | null): TokenState['state'] {
  if (!end) return 'valid'
  return byReason[end.reason as keyof typeof byReason] ?? 'revoked'
}

/** The developer account of an integration; undefined if there is none. */
export const accountOfClient = async (db: Db, client_id: string): Promise<number | undefined> =>
  (await findClient(db, client_id))?.account_id
