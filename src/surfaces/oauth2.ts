import type { FastifyPluginAsync } from 'fastify'
import type { Context } from '../context.ts'
import { consentRoutes } from '../integrations/oauth/consent-routes.ts'
import { tokenRoutes } from '../integrations/oauth/token-routes.ts'
import { dropAnswer, recorded } from './record-traffic.ts'

/** OAuth 2.0: the token endpoint in JSON, and the consent page in a browser. Each has its own form of refusals. */
export function oauth2Surface(ctx: Context): FastifyPluginAsync {
  return async (app) => {
    await app.register(recorded(ctx, tokenRoutes(ctx, dropAnswer(ctx)), '/oauth2'))
    await app.register(consentRoutes(ctx))
  }
}
