import type { FastifyRequest } from 'fastify'
import { type Actor, findActor, insufficientScope } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import { checkAgain } from '../db/database-waits.ts'
import { authenticate, notAuthorized, noteElsewhere } from '../integrations/integrations.ts'

/** Authenticates a request. Throws Refusal('not_authorized'). */
type Prove = (ctx: Context, request: FastifyRequest) => Promise<Actor>

/**
 * Accepts bearer tokens only, never the cookie (A9), and requires a permission (A12). The order is the security
 * argument: identity, host, permission, the person in whose name the token acts, rate, and only then the route.
 */
export function requireBearer(
  ctx: Context,
  permission: 'crm' | 'files' = 'crm',
  prove: Prove = byBearer,
): (request: FastifyRequest) => Promise<void> {
  const enter = async (request: FastifyRequest): Promise<Actor> => {
    const actor = await prove(ctx, request)
    checkHost(ctx, request, actor)
    if (!actor.integration?.scopes.includes(permission)) throw insufficientScope(permission)
    return inContext(ctx, request, actor)
  }
  return async (request) => {
    const actor = await enter(request)
    await ctx.limits.takeAll([
      ['api', `${actor.integration?.id} ${actor.account_id}`],
      ['account', String(actor.account_id)],
    ])
    request.actor = actor
    request.account_id = actor.account_id
    request.renewActor = () => {
      checkAgain()
      return enter(request)
    }
  }
}

/** By the token in the `Authorization` header. */
export const byBearer: Prove = (ctx, request) =>
  authenticate(ctx, bearerToken(request), { request_id: request.id, address: request.ip })

/** The token of `Authorization: Bearer` (RFC 6750, 2.1). The scheme is case-insensitive. */
function bearerToken(request: FastifyRequest): string | undefined {
  const header = request.headers.authorization
  return header !== undefined && /^bearer /i.test(header) ? header.slice(7).trim() : undefined
}

/** A token is valid only at the address of its account (P5). */
function checkHost(ctx: Context, request: FastifyRequest, actor: Actor): void {
  const { subdomain } = request.tenant
  if (subdomain === null || subdomain === actor.subdomain) return
  const { account_id, integration, request_id } = actor
  if (integration) {
    const { id: integration_id, grant_id, generation = 0 } = integration
    const pair = { account_id, integration_id, grant_id, generation }
    noteElsewhere(ctx, pair, { at: ctx.now(), request_id }, request.host)
  }
  throw notAuthorized('token_of_other_account')
}

/** Ids that a number holds exactly. */
const AN_ID = /^[1-9]\d{0,14}$/

/** The person whom `X-Context-User-ID` names: a token of an administrator acts with their rights, in their name (A24). */
async function inContext(ctx: Context, request: FastifyRequest, actor: Actor): Promise<Actor> {
  const named = request.headers['x-context-user-id']
  if (named === undefined || named === String(actor.user_id)) return actor
  const { account_id, integration, request_id, address } = actor
  const person =
    actor.is_admin && AN_ID.test(String(named))
      ? await findActor(ctx, { account_id, user_id: Number(named) }, { integration, request_id, address })
      : undefined
  if (!person || person.is_free) throw notAuthorized('context_user')
  return person
}
