import { createHash } from 'node:crypto'
import { recordAudit } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import { sameText, sha256 } from '../../secrets.ts'
import { endFamily } from '../tokens/token-families.ts'
import { holdForRace, loseAnswer } from '../tokens/token-faults.ts'
import {
  type CodeRow,
  consumeCode,
  findCode,
  findRefresh,
  insertFirstPair,
  insertGrant,
  insertNextPair,
  markUsed,
  noteCodeElsewhere,
  type RefreshRow,
  renewPair,
} from '../tokens/token-queries.ts'
import { mintPair, newGrant, openPending, renewPending, type TokenSet, tokenSet } from '../tokens/tokens.ts'
import { authenticateClient, type ClientAttempt } from './client-authentication.ts'
import { tokenRefusal } from './token-refusals.ts'
import type { TokenRequest } from './token-request.ts'

/** A request at the token endpoint, and what its checks have found so far. */
interface Attempt extends TokenRequest, ClientAttempt {
  request_id: string
  user_agent: string
  /** The Host header, and its account, if any. */
  host: string
  subdomain: string | null
  /** The domain of the request, which the access token names. */
  base_host: string
  authorization: CodeRow
  pair: RefreshRow
}

export type TokenCaller = Pick<
  Attempt,
  'address' | 'request_id' | 'user_agent' | 'host' | 'subdomain' | 'base_host'
>
type Step = (ctx: Context, attempt: Attempt) => Promise<void> | void | undefined

/**
 * The checks in their order, which is the security argument (A4). The client is authenticated before anything is looked
 * up for it. Until all checks pass, nothing is consumed or revoked, so a stranger cannot end anybody's access.
 */
const client: Step[] = [authenticateClient, matchRedirectUri]
const grants: Record<
  string,
  { checks: Step[]; issue: (ctx: Context, attempt: Attempt) => Promise<TokenSet> }
> = {
  authorization_code: {
    checks: [
      ...client,
      findAuthorization,
      matchAccount,
      verifyChallenge,
      refuseReplay,
      refuseDeadCode,
      refuseOldCode,
    ],
    issue: exchangeCode,
  },
  refresh_token: {
    checks: [...client, findPair, matchAccountOfPair, refuseDeadFamily, refuseOldPair, waitForRace],
    issue: refreshPair,
  },
}

/** Returns a token set, or throws the Refusal of the first failed check, or LostAnswer if a test asked for it. */
export async function requestTokens(
  ctx: Context,
  request: TokenRequest,
  caller: TokenCaller,
): Promise<TokenSet> {
  const attempt = { ...request, ...caller } as Attempt
  const grant = grants[request.grant_type]
  if (!grant) throw tokenRefusal('unsupported_grant_type')
  for (const check of grant.checks) await check(ctx, attempt)
  const tokens = await grant.issue(ctx, attempt)
  if (ctx.config.test_helpers && attempt.pair) await loseAnswer(ctx, attempt.pair.grant_id)
  return tokens
}

/** Compares byte for byte. */
function matchRedirectUri(_ctx: Context, { redirect_uri, integration }: Attempt): void {
  if (redirect_uri !== null && redirect_uri !== integration.redirect_uri)
    throw tokenRefusal('wrong_redirect_uri')
}

async function findAuthorization(ctx: Context, attempt: Attempt): Promise<void> {
  const [found] = await findCode(ctx.db, { hash: sha256(attempt.code as string) })
  if (!found || found.integration_id !== attempt.integration.id) throw tokenRefusal('unknown_code')
  attempt.authorization = found
}

async function matchAccount(ctx: Context, attempt: Attempt): Promise<void> {
  const { subdomain, authorization, host, request_id } = attempt
  if (subdomain === null || subdomain === authorization.subdomain) return
  const { hash } = authorization
  await ctx.db.transaction().execute((tx) => noteCodeElsewhere(tx, { hash, at: ctx.now(), host, request_id }))
  throw tokenRefusal('wrong_account')
}

/** PKCE with S256 (RFC 7636, 4.6). A verifier without a challenge is a sign of a downgrade (RFC 9700, 2.1.1). */
function verifyChallenge(_ctx: Context, { code_verifier, authorization }: Attempt): void {
  const challenge = authorization.code_challenge
  if (challenge === null && code_verifier === null) return
  const computed = createHash('sha256')
    .update(code_verifier ?? '')
    .digest('base64url')
  if (challenge === null || code_verifier === null || !sameText(computed, challenge))
    throw tokenRefusal('wrong_verifier')
}

/** A replay with valid credentials. Somebody else may have the code, so its tokens are revoked (A5). */
async function refuseReplay(ctx: Context, attempt: Attempt): Promise<void> {
  if (attempt.authorization.consumed_at !== null) await refuseConsumed(ctx, attempt)
}

function refuseDeadCode(_ctx: Context, { authorization }: Attempt): void {
  if (!authorization.is_live) throw tokenRefusal('code_revoked')
}

function refuseOldCode(ctx: Context, { authorization }: Attempt): void {
  if (authorization.expires_at <= ctx.now()) throw tokenRefusal('code_expired')
}

async function exchangeCode(ctx: Context, attempt: Attempt): Promise<TokenSet> {
  const { authorization, integration } = attempt
  const grant = newGrant(ctx, {
    account_id: authorization.account_id,
    integration_id: integration.id,
    user_id: authorization.user_id,
    installation_epoch: authorization.installation_epoch,
    member_epoch: authorization.member_epoch,
    // The permissions that the person has seen: the integration can ask for more since.
    scopes: authorization.scopes ?? integration.permissions,
    long_lived: null,
  })
  const { base_host, request_id } = attempt
  const pair = mintPair(ctx, { ...grant, base_host, request_id }, 0, null)
  const won = await ctx.db.transaction().execute(async (tx) => {
    const use = { hash: authorization.hash, grant_id: grant.id, at: ctx.now(), request_id }
    if (!(await consumeCode(tx, use))) return false
    await insertGrant(tx, grant)
    await insertFirstPair(tx, pair.row)
    return true
  })
  if (!won) return refuseConsumed(ctx, attempt)
  return tokenSet(pair, pair.row.access_expires_at, pair.row.issued_at)
}

async function refuseConsumed(ctx: Context, attempt: Attempt): Promise<never> {
  const [consumed] = await findCode(ctx.db, { hash: attempt.authorization.hash })
  if (consumed?.grant_id)
    await endFamily(ctx, attempt, { ...consumed, grant_id: consumed.grant_id }, 'code.replayed')
  throw tokenRefusal('code_replayed')
}

async function findPair(ctx: Context, attempt: Attempt): Promise<void> {
  const [found] = await findRefresh(ctx.db, { refresh_hash: sha256(attempt.refresh_token as string) })
  if (!found || found.integration_id !== attempt.integration.id) throw tokenRefusal('unknown_refresh_token')
  attempt.pair = found
}

function matchAccountOfPair(_ctx: Context, { subdomain, pair }: Attempt): void {
  if (subdomain !== null && subdomain !== pair.subdomain) throw tokenRefusal('wrong_account')
}

function refuseDeadFamily(_ctx: Context, { pair }: Attempt): void {
  if (!pair.is_live) throw tokenRefusal('refresh_token_revoked')
}

function refuseOldPair(ctx: Context, { pair }: Attempt): void {
  if ((pair.refresh_expires_at as number) <= ctx.now()) throw tokenRefusal('refresh_token_expired')
}

function waitForRace(ctx: Context, { pair }: Attempt): Promise<void> | undefined {
  return ctx.config.test_helpers ? holdForRace(ctx, pair.grant_id) : undefined
}

/**
 * See the life of a token pair in tokens.ts. Without a child, creates one. Returns an unused child again. Refuses after
 * the child was used (A6).
 */
async function refreshPair(ctx: Context, attempt: Attempt): Promise<TokenSet> {
  const { pair, base_host, request_id } = attempt
  if (pair.child_generation !== null) return repeatChild(ctx, attempt)
  const family = { ...pair, id: pair.grant_id, base_host, request_id }
  const child = mintPair(ctx, family, pair.generation + 1, attempt.refresh_token)
  const won = await ctx.db.transaction().execute(async (tx) => {
    if (!(await insertNextPair(tx, child.row))) return false
    if (pair.is_pending) await markUsed(tx, pair, { at: ctx.now(), request_id })
    return true
  })
  if (won) return tokenSet(child, child.row.access_expires_at, child.row.issued_at)
  await findPair(ctx, attempt)
  return repeatChild(ctx, attempt)
}

async function repeatChild(ctx: Context, attempt: Attempt): Promise<TokenSet> {
  const { pair, refresh_token, address, user_agent, request_id } = attempt
  if (pair.child_sealed === null) return refuseReuse(ctx, attempt)
  const child = openPending(refresh_token as string, pair.grant_id, pair.generation + 1, pair.child_sealed)
  const now = ctx.now()
  if ((pair.child_expires_at as number) <= now) return renewChild(ctx, attempt, child.refresh_token)
  ctx.log.info(
    { request_id, grant_id: pair.grant_id, address, user_agent },
    'an unused token pair was returned again',
  )
  return tokenSet(child, pair.child_expires_at as number, now)
}

/**
 * The child's access token expired before its first use. One of several concurrent requests renews it, and the others
 * return its token.
 */
async function renewChild(ctx: Context, attempt: Attempt, refresh_token: string): Promise<TokenSet> {
  const { pair } = attempt
  const family = { ...pair, id: pair.grant_id, base_host: attempt.base_host }
  const generation = pair.generation + 1
  const child = renewPending(ctx, family, generation, attempt.refresh_token as string, refresh_token)
  const ended_at = pair.child_expires_at as number
  const renewed = { grant_id: pair.grant_id, generation, ended_at, ...child.row }
  const won = await ctx.db.transaction().execute((tx) => renewPair(tx, renewed))
  if (won) return tokenSet(child, child.row.access_expires_at, child.issued_at)
  await findPair(ctx, attempt)
  return repeatChild(ctx, attempt)
}

async function refuseReuse(ctx: Context, attempt: Attempt): Promise<never> {
  const { pair, integration, address, request_id } = attempt
  if (integration.revoke_on_reuse) {
    await endFamily(ctx, attempt, pair, 'refresh_token.reused')
  } else {
    await ctx.db.transaction().execute((tx) =>
      recordAudit(ctx, tx, {
        account_id: pair.account_id,
        user_id: 0,
        integration_id: integration.id,
        action: 'refresh_token.reused',
        details: { revoked: false },
        address,
        request_id,
      }),
    )
  }
  throw tokenRefusal('refresh_token_revoked')
}
