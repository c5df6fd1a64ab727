import { type Actor, emailOf, findUserByEmail } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import { authenticate, notAuthorized } from '../tokens/authenticate.ts'
import { findGrant } from '../tokens/token-queries.ts'

/** The credentials of old clients: `USER_LOGIN` and `USER_HASH` in the address. */
export interface LoginAndHash {
  login: string
  hash: string
}

/**
 * The member with the e-mail `login` and the long-lived token `hash` (F7). Throws the same Refusal('not_authorized')
 * for a token of another type or person.
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
