import { type Actor, type ActorRow, actorOf } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import { Refusal } from '../errors.ts'
import { sha256 } from '../secrets.ts'
import { touchInstallation } from './queries.ts'
import { findBearer, markUsed } from './token-queries.ts'

/** How exactly "last used" is kept, in seconds: a write with every call would cost more than the call. */
const USE_GRAIN = 3_600
const MAX_TOKEN_LENGTH = 4_096

/**
 * The member who granted the token, with his rights as they are now (A10). The token is looked up with every call, so
 * one that was revoked anywhere is refused everywhere at once (A1). The first call with a pair makes it used (A6).
 * Throws Refusal('not_authorized') alike for what is missing, unknown, expired or revoked.
 */
export async function authenticate(
  ctx: Context,
  token: string | undefined,
  asking: { request_id: string; address: string },
): Promise<Actor> {
  const now = ctx.now()
  const row =
    token && token.length <= MAX_TOKEN_LENGTH
      ? (await findBearer(ctx.db, { access_hash: sha256(token) }))[0]
      : undefined
  if (!row || row.access_expires_at <= now) {
    ctx.limits.take('stranger', asking.address)
    throw new Refusal('not_authorized', 'Invalid user name or password')
  }
  const isStale = row.last_used_at === null || row.last_used_at <= now - USE_GRAIN
  if (row.is_pending || isStale) {
    await ctx.db.transaction().execute(async (tx) => {
      if (row.is_pending) await markUsed(tx, row)
      if (isStale) await touchInstallation(tx, row.account_id, row.integration_id, now)
    })
  }
  const integration = { id: row.integration_id, grant_id: row.grant_id, scopes: JSON.parse(row.scopes) }
  return actorOf(row as ActorRow, { integration, ...asking })
}
