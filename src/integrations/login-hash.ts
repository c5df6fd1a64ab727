import { type Actor, emailOf, findUserByEmail } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import { authenticate, notAuthorized } from './authenticate.ts'
import { findGrant } from './token-queries.ts'

/** How old clients say who they are: `USER_LOGIN` and `USER_HASH` of the address. */
export interface LoginAndHash {
  login: string
  hash: string
}

/**
 * The member whose e-mail is `login` and whose long-lived token is `hash` (F7). Throws Refusal('not_authorized') alike
 * for a token that is no long-lived one, and for one of somebody else.
 */
export async function authenticateByHash(
  ctx: Context,
  { login, hash }: LoginAndHash,
  asking: { request_id: string; address: string },
): Promise<Actor> {
  const actor = await authenticate(ctx, hash, asking)
  const { id, grant_id } = actor.integration as NonNullable<Actor['integration']>
  const [grant, person] = await Promise.all([
    findGrant(ctx.db, actor.account_id, id, grant_id),
    findUserByEmail(ctx.db, emailOf({ email: login })),
  ])
  if (grant?.long_lived == null || person?.id !== actor.user_id) throw notAuthorized('token_unknown')
  return actor
}
