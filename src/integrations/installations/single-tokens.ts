import { type Actor, recordAudit, requireAdmin } from '../../accounts/accounts.ts'
import type { AuditAction, AuditDetails } from '../../accounts/audit/audit-types.ts'
import type { Context } from '../../context.ts'
import type { IntegrationRow } from '../../db/tables.ts'
import { Refusal } from '../../errors.ts'
import { sha256 } from '../../secrets.ts'
import { findClient } from '../registry/queries.ts'
import { signAccessToken } from '../tokens/access-tokens.ts'
import { insertFirstPair, insertGrant } from '../tokens/token-queries.ts'
import { newGrant } from '../tokens/tokens.ts'
import { activeInstallation } from './installations.ts'

/** An access token without a refresh token. `expires_at` is in Unix seconds. */
export interface SingleToken {
  access_token: string
  expires_at: number
}

/** Long enough to try something, and short enough that nobody stores the token in a program. */
const SHORT_SECONDS = 15 * 60

/**
 * Issues a token of 15 minutes for an integration that is installed in the administrator's account, for the API
 * reference (Q39). It can do nothing that the session cannot do, except as this integration, so it needs no password.
 */
export async function issueShortLivedToken(
  ctx: Context,
  actor: Actor,
  client_id: string,
): Promise<SingleToken> {
  requireAdmin(actor)
  const integration = await findClient(ctx.db, client_id)
  if (!integration) throw new Refusal('not_found', 'Integration not installed in this account.')
  return issueSingleToken(ctx, actor, integration, {
    expires_at: ctx.now() + SHORT_SECONDS,
    long_lived: null,
    action: 'short_lived_token.issued',
  })
}

/** Issues a token to an active installation in the name of the actor, and records it in the audit log. */
export async function issueSingleToken(
  ctx: Context,
  actor: Actor,
  { id: client_id, permissions }: Pick<IntegrationRow, 'id' | 'permissions'>,
  {
    expires_at,
    long_lived,
    action,
    details,
  }: { expires_at: number; long_lived: string | null; action: AuditAction; details?: AuditDetails },
): Promise<SingleToken> {
  const issued_at = ctx.now()
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
      long_lived,
    })
    await insertGrant(tx, grant)
    await insertFirstPair(tx, {
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
      action,
      ...(details && { details }),
      address,
      request_id,
    })
  })
  return { access_token, expires_at }
}
