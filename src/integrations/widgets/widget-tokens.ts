import { createHmac } from 'node:crypto'
import type { Actor } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import { Refusal } from '../../errors.ts'
import { randomToken } from '../../secrets.ts'
import { openSecret } from '../registry/keys.ts'
import { findClient, findInstallation } from '../registry/queries.ts'

/** Seconds for which a token is valid. */
const VALID = 1_800

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const HEADER = encode({ alg: 'HS256', typ: 'JWT' })

/**
 * A one-time token that proves to the server of an integration who calls it: a JWT, signed with the integration's secret,
 * which a widget sends as `X-Auth-Token` (docs/wire/widgets.md#tokens).
 */
export async function widgetToken(
  ctx: Context,
  { account_id, user_id, subdomain, is_admin }: Actor,
  client_id: string,
): Promise<{ token: string; expires_at: number }> {
  const installation = await findInstallation(ctx.db, account_id, client_id)
  const integration = await findClient(ctx.db, client_id)
  if (!installation?.is_active || !integration)
    throw new Refusal('not_found', 'Integration not installed in this account.')
  const now = ctx.now()
  const { protocol, hostname } = new URL(integration.redirect_uri)
  const claims = {
    iss: ctx.hosts.accountUrl(subdomain),
    // Without a port: the official client compares with the scheme and the name of the host.
    aud: `${protocol}//${hostname}`,
    jti: randomToken(''),
    iat: now,
    nbf: now,
    exp: now + VALID,
    account_id,
    user_id,
    subdomain,
    client_uuid: integration.id,
    is_admin,
  }
  const text = `${HEADER}.${encode(claims)}`
  const signature = createHmac('sha256', openSecret(ctx, integration)).update(text).digest('base64url')
  return { token: `${text}.${signature}`, expires_at: claims.exp }
}
