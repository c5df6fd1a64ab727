import type { FastifyPluginAsync } from 'fastify'
import { ownerRoutes } from '../accounts/people/owner-routes.ts'
import type { Context } from '../context.ts'
import { mount } from '../http/mount.ts'
import { notFoundHandler } from '../http/problems/problem.ts'
import { requireBearer } from './bearer.ts'

/** `/v3`: the owner of a token, the only address of this version that clients still request (A25). */
export function v3Surface(ctx: Context): FastifyPluginAsync {
  return async (v3) => {
    v3.alikeBelow.push(`${v3.prefix}/`)
    v3.decorateRequest('actor')
    v3.decorateRequest('renewActor')
    v3.addHook('onRequest', requireBearer(ctx))
    v3.addHook('onSend', (_request, reply, _payload, done) => {
      if (reply.statusCode < 300) reply.header('content-type', 'application/hal+json')
      done()
    })
    await mount(v3, ownerRoutes(ctx))
    // Without a token, callers must not learn which addresses exist.
    v3.all('/*', notFoundHandler)
  }
}
