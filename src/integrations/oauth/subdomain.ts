import { type Actor, findActor } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import { Refusal } from '../../errors.ts'
import { sha256 } from '../../secrets.ts'
import { authenticate } from '../tokens/authenticate.ts'
import { findRefresh } from '../tokens/token-queries.ts'

/**
 * The current address of an account. Clients query it when it may have changed (A15;
 * docs/wire/oauth.md#where-an-account-is).
 */
export interface AccountAddress {
  id: number
  subdomain: string
  domain: string
  top_level_domain: string
}

interface AddressRequest {
  request_id: string
  address: string
  /** The domain of the request, which the response keeps (P5). */
  base_host: string
}

const refused = () => new Refusal('not_authorized', 'Invalid user name or password')

/**
 * By a refresh token that would be accepted, or was accepted and belongs to a valid family. The token is not used up.
 */
export async function currentSubdomain(
  ctx: Context,
  refreshToken: string | string[] | undefined,
  asking: AddressRequest,
): Promise<AccountAddress> {
  const token = typeof refreshToken === 'string' ? refreshToken : ''
  const [pair] = await findRefresh(ctx.db, { refresh_hash: sha256(token) })
  if (!pair?.is_live || (pair.refresh_expires_at as number) <= ctx.now()) {
    await ctx.limits.take('stranger', asking.address)
    throw refused()
  }
  const actor = await findActor(ctx, pair, { integration: null, ...asking })
  if (!actor) throw refused()
  return addressOf(ctx, actor, asking)
}

/** By an access token, for older clients. */
export async function subdomainOfBearer(
  ctx: Context,
  authorization: string | undefined,
  asking: AddressRequest,
): Promise<AccountAddress> {
  const token = authorization && /^bearer /i.test(authorization) ? authorization.slice(7).trim() : undefined
  const actor = await authenticate(ctx, token, asking)
  return addressOf(ctx, actor, asking)
}

function addressOf(
  ctx: Context,
  { account_id: id, subdomain }: Actor,
  { base_host }: AddressRequest,
): AccountAddress {
  const domain = ctx.hosts.accountHost(subdomain, base_host)
  return { id, subdomain, domain, top_level_domain: domain.split(':')[0]?.split('.').at(-1) ?? '' }
}
