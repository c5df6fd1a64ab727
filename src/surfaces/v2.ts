import type { FastifyPluginAsync } from 'fastify'
import { callNoticeRoutes } from '../call-notices/routes.ts'
import { productsSettingsV2Routes } from '../catalogs/products-routes.ts'
import { salesbotRoutes } from '../chats/bot-api/salesbot-routes.ts'
import type { Context } from '../context.ts'
import { mount } from '../http/mount.ts'
import { notFoundHandler } from '../http/problems/problem.ts'
import { incomingLeadV2Routes } from '../legacy/v2/incoming-routes.ts'
import { secondApiRoutes } from '../legacy/v2/routes.ts'
import { bindVisitors } from '../marketing/marketing.ts'
import { requireBearer } from './bearer.ts'
import { acceptOlderBodies } from './older-bodies.ts'
import { byTokenOrHash } from './older-credentials.ts'

/** `add[0][incoming_entities][contacts][0][custom_fields][0][values][0][value]` */
const DEPTH = 10

/** `/api/v2`: the second API. Requires a bearer token, or the credentials of F7 and F11. Bodies are JSON or forms, refusals problem+json. */
export function v2Surface(ctx: Context): FastifyPluginAsync {
  return async (v2) => {
    v2.alikeBelow.push(`${v2.prefix}/`)
    v2.decorateRequest('actor')
    v2.decorateRequest('renewActor')
    v2.addHook('onRequest', requireBearer(ctx, 'crm', byTokenOrHash))
    v2.addHook('onSend', (_request, reply, _payload, done) => {
      if (reply.statusCode < 300) reply.header('content-type', 'application/hal+json')
      done()
    })
    acceptOlderBodies(ctx, v2, DEPTH)
    await mount(v2, callNoticeRoutes(ctx))
    await mount(v2, productsSettingsV2Routes(ctx))
    await mount(v2, salesbotRoutes(ctx))
    await mount(v2, secondApiRoutes(ctx, { written: bindVisitors }))
    await mount(v2, incomingLeadV2Routes(ctx, { written: bindVisitors }))
    // Without a token, callers must not learn which addresses exist.
    v2.all('/*', notFoundHandler)
  }
}
