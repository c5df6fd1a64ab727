import type { Context } from '../../context.ts'
import { sha256 } from '../../secrets.ts'
import { endFamily } from '../tokens/token-families.ts'
import { findFamily } from '../tokens/token-queries.ts'
import { authenticateClient, type ClientAttempt } from './client-authentication.ts'
import type { RevocationRequest } from './token-request.ts'

/**
 * Revokes all tokens of the consent that a token belongs to: an access token, a refresh token or a long-lived token
 * (RFC 7009, 2; A22). A token that is unknown, or of another client, changes nothing and is no error (RFC 7009, 2.2).
 */
export async function revokeToken(
  ctx: Context,
  { token, ...keys }: RevocationRequest,
  caller: { address: string; request_id: string },
): Promise<void> {
  const attempt = { ...keys, ...caller } as ClientAttempt & typeof caller
  await authenticateClient(ctx, attempt)
  const [family] = await findFamily(ctx.db, { token_hash: sha256(token) })
  if (family?.integration_id === attempt.integration.id)
    await endFamily(ctx, attempt, family, 'tokens.revoked')
}
