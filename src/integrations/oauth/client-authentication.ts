import type { Context } from '../../context.ts'
import type { IntegrationRow } from '../../db/tables.ts'
import { networkOf } from '../../http/limits/rate-limit.ts'
import { sameDigest, sha256 } from '../../secrets.ts'
import { findClient } from '../registry/queries.ts'
import { tokenRefusal } from './token-refusals.ts'

/** A request with the keys of an integration. `integration` is set if they are right. */
export interface ClientAttempt {
  client_id: string
  client_secret: string
  address: string
  integration: IntegrationRow
}

/**
 * Finds the integration, verifies its secret, then counts the request against its limit, in this order (A4). Throws
 * Refusal('invalid') with the code `unknown_client` or `wrong_secret`.
 */
export async function authenticateClient(ctx: Context, attempt: ClientAttempt): Promise<void> {
  await findIntegration(ctx, attempt)
  await verifySecret(ctx, attempt)
  await ctx.limits.take('token', attempt.client_id)
}

const NOBODY = Buffer.alloc(32)

async function findIntegration(ctx: Context, attempt: ClientAttempt): Promise<void> {
  const found = await findClient(ctx.db, attempt.client_id)
  if (!found) {
    // Takes the same time as for a known client.
    sameDigest(sha256(attempt.client_secret), NOBODY)
    await ctx.limits.take('stranger', attempt.address)
    throw tokenRefusal('unknown_client')
  }
  attempt.integration = found
}

/**
 * Only wrong secrets are counted, by network and client, and the secret is checked before the limit. A client id is
 * public, so otherwise anybody could use up a client's attempts. A secret has 64 random characters and cannot be
 * guessed.
 */
async function verifySecret(
  ctx: Context,
  { client_secret, integration, address, client_id }: ClientAttempt,
): Promise<void> {
  if (sameDigest(sha256(client_secret), integration.secret_hash)) return
  await ctx.limits.take('stranger', address)
  await ctx.limits.take('token_failure', `${networkOf(address)} ${client_id}`)
  throw tokenRefusal('wrong_secret')
}
