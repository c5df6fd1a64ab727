import { randomUUID } from 'node:crypto'
import type { Context } from '../../context.ts'
import type { GrantRow, TokenPairRow } from '../../db/tables.ts'
import { deriveKey, randomToken, seal, sha256, unseal } from '../../secrets.ts'
import { ACCESS_SECONDS, refreshExpiry } from '../registry/lifetimes.ts'
import { signAccessToken } from './access-tokens.ts'
import type { NewPairRow } from './token-queries.ts'

/**
 * The life of a token pair.
 *
 * A consent creates a grant, and a grant is a family of pairs, numbered from 0. A pair is an access token and a refresh
 * token. The database only stores their SHA-256 hashes. Exchanging the refresh token of pair n creates pair n + 1, its
 * child.
 *
 * The answer with the child can be lost. So until the child is *used* (its access token authenticates a call, or its
 * refresh token is exchanged), the parent's refresh token still works and returns the same child: one parent, one
 * child, for any number of requests and workers. Therefore the child's tokens must be stored until then. They are
 * sealed with a key derived from the parent's refresh token. Only the hash of that token is stored, so the database
 * reveals no token, even together with the master key.
 *
 * The child's access token can expire before its first use. A request for the child then gets a new access token with
 * the same refresh token. A valid access token is never replaced and lives until it expires.
 *
 * When the child is used, the sealed tokens are erased, and the parent is refused forever. At any time, at most two
 * refresh tokens of a family are accepted: that of the newest pair, and that of its parent while the newest is unused.
 *
 * A generation is one row with the primary key (grant_id, generation). Of several concurrent requests for a child, one
 * inserts the row and the others read it.
 */

/** The token set of the specification, as the token endpoint returns it. */
export interface TokenSet {
  token_type: 'Bearer'
  /** Seconds until the access token expires. */
  expires_in: number
  access_token: string
  refresh_token: string
  server_time: number
}

export interface MintedPair {
  row: NewPairRow
  access_token: string
  refresh_token: string
}

const notRevoked = { revoked_at: null, revoked_for: null, revoked_by: null, revoked_request_id: null }
export type GrantDraft = Omit<GrantRow, 'id' | 'created_at' | keyof typeof notRevoked>

export function newGrant(ctx: Context, draft: GrantDraft): GrantRow {
  return { id: randomUUID(), ...draft, created_at: ctx.now(), ...notRevoked }
}

interface Family extends Pick<GrantRow, 'id' | 'account_id' | 'integration_id' | 'user_id' | 'scopes'> {
  /** The domain that the access token names. */
  base_host: string
  /** The request that issues the pair. */
  request_id: string
}

/**
 * Creates a pair without storing it. With a parent's refresh token, the row contains the pair, sealed with a key
 * derived from it.
 */
export function mintPair(
  ctx: Context,
  family: Family,
  generation: number,
  parentToken: string | null,
): MintedPair {
  const issued_at = ctx.now()
  const refresh_token = randomToken('pbr_')
  const { access_token, access } = mintAccess(ctx, family, issued_at)
  const row: NewPairRow = {
    grant_id: family.id,
    generation,
    ...access,
    refresh_hash: sha256(refresh_token),
    refresh_expires_at: refreshExpiry(issued_at),
    issued_at,
    issued_request_id: family.request_id,
    sealed:
      parentToken === null
        ? null
        : sealPending(parentToken, family.id, generation, { access_token, refresh_token }),
  }
  return { row, access_token, refresh_token }
}

function mintAccess(
  ctx: Context,
  family: Omit<Family, 'request_id'>,
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
    base_host: family.base_host,
  })
  return { access_token, access: { access_hash: sha256(access_token), access_expires_at } }
}

/** The columns of an unused child with a new access token, not yet stored. The refresh token stays the same. */
export function renewPending(
  ctx: Context,
  family: Omit<Family, 'request_id'>,
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

/** Opens an unused child with the refresh token of its parent. */
export function openPending(
  parentToken: string,
  grant_id: string,
  generation: number,
  sealed: Buffer,
): { access_token: string; refresh_token: string } {
  return JSON.parse(unseal(pendingKey(parentToken), placeOf(grant_id, generation), sealed))
}

/** `expires_in` is the remaining time at `server_time`: the full time for a new pair, less for a repeated one. */
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
