import { randomUUID } from 'node:crypto'
import type { Context } from '../context.ts'
import type { GrantRow, TokenPairRow } from '../db/tables.ts'
import { deriveKey, randomToken, seal, sha256, unseal } from '../secrets.ts'
import { signAccessToken } from './access-tokens.ts'
import { ACCESS_SECONDS, refreshExpiry } from './lifetimes.ts'

/**
 * The life of a token pair.
 *
 * A consent gives a grant, and a grant is a family of pairs, counted from 0. A pair is an access token and a refresh
 * token; of both the database holds only SHA-256. Exchanging the refresh token of pair n makes pair n + 1, its child.
 *
 * The answer that carries a child may be lost on the way. So until the child is *used* (its access token
 * authenticates a call, or its refresh token is exchanged) the parent's refresh token still works, and gives the
 * very same child again: one parent, one child, however often and from however many workers it is asked for. That is
 * why the child's text must be kept until then. It is kept sealed under a key derived from the parent's refresh token,
 * of which only the hash is stored, so the database alone, and even the database with the master key, yields no token.
 *
 * The access token of a child may end before its first use. Whoever asks for the child then gets a new access token with
 * the child's refresh token. A live access token is never replaced: it lives to its own end.
 *
 * Use erases the sealed text. From then on the parent is refused for ever. At any moment at most two refresh tokens of
 * a family are accepted: that of the newest pair, and that of its parent while the newest is unused.
 *
 * A generation is one row of the primary key (grant_id, generation): of many requests that race to make a child one
 * inserts it, and the others find it.
 */

/** The token set of the specification, as the token endpoint answers it. */
export interface TokenSet {
  token_type: 'Bearer'
  /** Seconds until the access token ends. */
  expires_in: number
  access_token: string
  refresh_token: string
  server_time: number
}

export interface MintedPair {
  row: TokenPairRow
  access_token: string
  refresh_token: string
}

export type GrantDraft = Omit<GrantRow, 'id' | 'created_at' | 'revoked_at' | 'revoked_for'>

export function newGrant(ctx: Context, draft: GrantDraft): GrantRow {
  return { id: randomUUID(), ...draft, created_at: ctx.now(), revoked_at: null, revoked_for: null }
}

type Family = Pick<GrantRow, 'id' | 'account_id' | 'integration_id' | 'user_id' | 'scopes'>

/** Makes, and does not yet store, a pair. With a parent's refresh token the row carries the pair sealed under it. */
export function mintPair(
  ctx: Context,
  family: Family,
  generation: number,
  parentToken: string | null,
): MintedPair {
  const issued_at = ctx.now()
  const refresh_token = randomToken('pbr_')
  const { access_token, access } = mintAccess(ctx, family, issued_at)
  const row: TokenPairRow = {
    grant_id: family.id,
    generation,
    ...access,
    refresh_hash: sha256(refresh_token),
    refresh_expires_at: refreshExpiry(issued_at),
    issued_at,
    sealed:
      parentToken === null
        ? null
        : sealPending(parentToken, family.id, generation, { access_token, refresh_token }),
  }
  return { row, access_token, refresh_token }
}

function mintAccess(
  ctx: Context,
  family: Family,
  issued_at: number,
): { access_token: string; access: Pick<TokenPairRow, 'access_hash' | 'access_expires_at'> } {
  const access_expires_at = issued_at + ACCESS_SECONDS
  const access_token = signAccessToken(ctx, {
    client_id: family.integration_id,
    user_id: family.user_id,
    account_id: family.account_id,
    scopes: JSON.parse(family.scopes),
    issued_at,
    expires_at: access_expires_at,
  })
  return { access_token, access: { access_hash: sha256(access_token), access_expires_at } }
}

/** The columns of an unused child with a new access token, which is not stored yet. The refresh token stays. */
export function renewPending(
  ctx: Context,
  family: Family,
  generation: number,
  parentToken: string,
  refresh_token: string,
): { row: RenewedPair; access_token: string; refresh_token: string; issued_at: number } {
  const issued_at = ctx.now()
  const { access_token, access } = mintAccess(ctx, family, issued_at)
  const sealed = sealPending(parentToken, family.id, generation, { access_token, refresh_token })
  return { row: { ...access, sealed }, access_token, refresh_token, issued_at }
}

export interface RenewedPair extends Pick<TokenPairRow, 'access_hash' | 'access_expires_at'> {
  sealed: Buffer
}

function sealPending(
  parentToken: string,
  grant_id: string,
  generation: number,
  tokens: { access_token: string; refresh_token: string },
): Buffer {
  return seal(pendingKey(parentToken), placeOf(grant_id, generation), JSON.stringify(tokens))
}

/** Opens a child that was made and not yet used, with the refresh token of its parent. */
export function openPending(
  parentToken: string,
  grant_id: string,
  generation: number,
  sealed: Buffer,
): { access_token: string; refresh_token: string } {
  return JSON.parse(unseal(pendingKey(parentToken), placeOf(grant_id, generation), sealed))
}

/** `expires_in` is what is left at `server_time`: all of it of a pair just made; a child given out again has aged. */
export function tokenSet(
  { access_token, refresh_token }: { access_token: string; refresh_token: string },
  access_expires_at: number,
  server_time: number,
): TokenSet {
  const expires_in = Math.max(0, access_expires_at - server_time)
  return { token_type: 'Bearer', expires_in, access_token, refresh_token, server_time }
}

const pendingKey = (parentToken: string) => deriveKey(parentToken, 'patchbay pending pair')
const placeOf = (grant_id: string, generation: number) => `token_pairs/${grant_id}/${generation}`
