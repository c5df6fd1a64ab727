import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import type { Actor } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import { Refusal } from '../errors.ts'
import { notFoundHandler } from '../http/problem.ts'
import { authenticate } from '../integrations/integrations.ts'
import { v4Routes } from './v4-routes.ts'

/**
 * `/api/v4`: bearer tokens only, never the cookie (A9); hal+json, and problem+json for refusals.
 * The order is the security argument: who, whose host, what the token may do, how often, and only then the route.
 */
export function v4Surface(ctx: Context): FastifyPluginAsync {
  return async (v4) => {
    v4.decorateRequest('actor')
    v4.addHook('onRequest', async (request) => {
      const actor = await authenticate(ctx, bearerToken(request), {
        request_id: request.id,
        address: request.ip,
      })
      checkHost(request, actor)
      if (!actor.integration?.scopes.includes('crm'))
        throw new Refusal('forbidden', "Client doesn't have the required scope")
      ctx.limits.take('api', `${actor.integration.id} ${actor.account_id}`)
      ctx.limits.take('account', String(actor.account_id))
      request.actor = actor
      request.account_id = actor.account_id
    })
    v4.addHook('onSend', (_request, reply, _payload, done) => {
      // Exactly this text: clients compare it (V1). Fastify would add a charset.
      if (reply.statusCode < 300) reply.header('content-type', 'application/hal+json')
      done()
    })
    for (const routes of v4Routes) await v4.register(routes(ctx))
    // Who has no token does not learn which addresses there are.
    v4.all('/*', notFoundHandler)
  }
}

/** The token of `Authorization: Bearer` (RFC 6750, 2.1); the scheme's case does not matter. */
function bearerToken(request: FastifyRequest): string | undefined {
  const header = request.headers.authorization
  return header !== undefined && /^bearer /i.test(header) ? header.slice(7).trim() : undefined
}

/** A token of one account does not open the address of another (P5). */
function checkHost(request: FastifyRequest, actor: Actor): void {
  const { subdomain } = request.tenant
  if (subdomain !== null && subdomain !== actor.subdomain)
    throw new Refusal('not_authorized', 'Invalid user name or password')
}
