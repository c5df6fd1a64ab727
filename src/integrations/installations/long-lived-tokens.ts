import { type Actor, recordAudit, requireAdmin } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import type { IntegrationRow } from '../../db/tables.ts'
import { Refusal } from '../../errors.ts'
import { ownIntegration } from '../registry/own-integration.ts'
import { findGrant, revokeGrant } from '../tokens/token-queries.ts'
import { issueSingleToken, type SingleToken } from './single-tokens.ts'

const DAY = 86_400

/** Issues a token without a refresh token to a private integration, for 1 to 1,826 days. It is shown once (A15). */
export async function issueLongLivedToken(
  ctx: Context,
  actor: Actor,
  client_id: string,
  { name, days }: { name: string; days: number },
): Promise<SingleToken> {
  const integration = await ownIntegration(ctx, actor, client_id)
  if (integration.access !== 'private')
    throw new Refusal('conflict', 'Only private integrations can have long-lived tokens.')
  return grantToken(ctx, actor, integration, { name, days })
}

/**
 * Issues a token to an integration that is installed in the actor's account, on behalf of the actor. It has the
 * permissions of the integration and no refresh token.
 */
export const grantToken = (
  ctx: Context,
  actor: Actor,
  integration: Pick<IntegrationRow, 'id' | 'permissions'>,
  { name, days }: { name: string; days: number },
): Promise<SingleToken> =>
  issueSingleToken(ctx, actor, integration, {
    expires_at: ctx.now() + days * DAY,
    long_lived: name,
    action: 'long_lived_token.issued',
    details: { name, days },
  })

/** Revokes one family of tokens: one consent, or one long-lived token. */
export async function revoke(ctx: Context, actor: Actor, client_id: string, grant_id: string): Promise<void> {
  requireAdmin(actor)
  const { account_id, user_id, address, request_id } = actor
  await ctx.db.transaction().execute(async (tx) => {
    const grant = await findGrant(tx, account_id, client_id, grant_id)
    if (!grant) throw new Refusal('not_found', 'Tokens not found in this account.')
    const why = 'revoked by an administrator'
    if (!(await revokeGrant(tx, account_id, grant_id, { why, at: ctx.now(), by: user_id, request_id })))
      return
    await recordAudit(ctx, tx, {
      account_id,
      user_id,
      integration_id: client_id,
      action: 'tokens.revoked',
      address,
      request_id,
    })
  })
}
