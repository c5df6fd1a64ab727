import { type Actor, recordAudit, requireAdmin } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import type { IntegrationRow } from '../db/tables.ts'
import { Refusal } from '../errors.ts'
import { sha256 } from '../secrets.ts'
import { signAccessToken } from './access-tokens.ts'
import { activeInstallation } from './installations.ts'
import { ownIntegration } from './own-integration.ts'
import { findGrant, insertGrant, insertPair, revokeGrant } from './token-queries.ts'
import { newGrant } from './tokens.ts'

const DAY = 86_400

/** Issues a token without a refresh token to a private integration, for 1 to 1,826 days. It is shown once (A15). */
export async function issueLongLivedToken(
  ctx: Context,
  actor: Actor,
  client_id: string,
  { name, days }: { name: string; days: number },
): Promise<{ access_token: string; expires_at: number }> {
  const integration = await ownIntegration(ctx, actor, client_id)
  if (integration.access !== 'private')
    throw new Refusal('conflict', 'Only private integrations can have long-lived tokens.')
  return grantToken(ctx, actor, integration, { name, days })
}

/**
 * Issues a token to an integration that is installed in the actor's account, on behalf of the actor. It has the
 * permissions of the integration and no refresh token.
 */
export async function grantToken(
  ctx: Context,
  actor: Actor,
  { id: client_id, permissions }: Pick<IntegrationRow, 'id' | 'permissions'>,
  { name, days }: { name: string; days: number },
): Promise<{ access_token: string; expires_at: number }> {
  const issued_at = ctx.now()
  const expires_at = issued_at + days * DAY
  const { account_id, user_id, address, request_id } = actor
  const access_token = signAccessToken(ctx, {
    client_id,
    user_id,
    account_id,
    scopes: JSON.parse(permissions),
    issued_at,
    expires_at,
    base_host: ctx.hosts.base_host,
  })
  await ctx.db.transaction().execute(async (tx) => {
    const installation = await activeInstallation(tx, actor, client_id)
    const grant = newGrant(ctx, {
      account_id,
      integration_id: client_id,
      user_id,
      installation_epoch: installation.epoch,
      member_epoch: actor.member_epoch,
      scopes: permissions,
      long_lived: name,
    })
    await insertGrant(tx, grant)
    await insertPair(tx, {
      grant_id: grant.id,
      generation: 0,
      access_hash: sha256(access_token),
      access_expires_at: expires_at,
      refresh_hash: null,
      refresh_expires_at: null,
      issued_at,
      issued_request_id: request_id,
      sealed: null,
    })
    await recordAudit(ctx, tx, {
      account_id,
      user_id,
      integration_id: client_id,
      action: 'long_lived_token.issued',
      details: { name, days },
      address,
      request_id,
    })
  })
  return { access_token, expires_at }
}

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
