import { type Actor, type ActorRow, actorOf } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import { Refusal } from '../../errors.ts'
import { sha256 } from '../../secrets.ts'
import { noteUse } from './last-use.ts'
import { memberOfPass } from './passes.ts'
import { findAccess, findBearer, markUsed } from './token-queries.ts'

const MAX_TOKEN_LENGTH = 4_096

/**
 * The member who granted the token, with their current rights (A10). The token is looked up for every call, or in
 * results that no commit has changed since, so a revocation takes effect everywhere at once (A1). The first call with a
 * pair marks it as used (A6). A pass of this process is accepted too (passes.ts). Throws Refusal('not_authorized') with a
 * code for a missing, unknown, expired or revoked token.
 */
export async function authenticate(
  ctx: Context,
  token: string | undefined,
  asking: { request_id: string; address: string },
): Promise<Actor> {
  const now = ctx.now()
  const access_hash = token && token.length <= MAX_TOKEN_LENGTH ? sha256(token) : undefined
  const row = access_hash && (await findBearer(ctx.db, { access_hash }))[0]
  if (!row || row.access_expires_at <= now) {
    const member = token && (await memberOfPass(ctx, token, asking))
    if (member) return member
    await ctx.limits.take('stranger', asking.address)
    throw notAuthorized(token ? await tokenFaultOf(ctx, access_hash) : 'token_missing')
  }
  const use = { at: now, request_id: asking.request_id }
  if (row.is_pending) await ctx.db.transaction().execute((tx) => markUsed(tx, row, use))
  noteUse(ctx, row, use)
  const { integration_id: id, integration_number: number, grant_id, generation, scopes } = row
  const integration = { id, number, grant_id, generation, scopes: JSON.parse(scopes) }
  return actorOf(row as ActorRow, { integration, ...asking })
}

type TokenFault =
  | 'token_missing'
  | 'token_unknown'
  | 'token_expired'
  | 'token_revoked'
  | 'token_of_other_account'
  | 'context_user'

/** Clients compare the sentence. The code gives the reason, in `type` and in WWW-Authenticate. */
export const notAuthorized = (code: TokenFault): Refusal =>
  new Refusal('not_authorized', 'Invalid user name or password', { code })

/** Called only for a rejected token, after the failure was counted. */
async function tokenFaultOf(ctx: Context, access_hash: Buffer | undefined): Promise<TokenFault> {
  const [pair] = access_hash ? await findAccess(ctx.db, { access_hash }) : []
  if (!pair) return 'token_unknown'
  return pair.access_expires_at <= ctx.now() ? 'token_expired' : 'token_revoked'
}
