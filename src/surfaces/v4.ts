import type { FastifyPluginAsync, FastifyReply } from 'fastify'
import type { Context } from '../context.ts'
import { readTextAsJson } from '../http/bodies/json-types.ts'
import { notFoundHandler } from '../http/problems/problem.ts'
import { requireBearer } from './bearer.ts'
import { mountV4 } from './v4-routes.ts'

/** `/api/v4`: bearer tokens, hal+json, and problem+json for refusals. */
export function v4Surface(ctx: Context): FastifyPluginAsync {
  return async (v4) => {
    v4.alikeBelow.push(`${v4.prefix}/`)
    v4.decorateRequest('actor')
    v4.decorateRequest('renewActor')
    v4.addHook('onRequest', requireBearer(ctx))
    v4.addHook('onRequest', (request, _reply, done) => {
      readTextAsJson(request, false)
      done()
    })
    v4.addHook('onSend', (_request, reply, payload, done) => {
      // Clients compare exactly this text (V1), and parse what has it. Fastify would add a charset.
      if (reply.statusCode < 300 && payload && !isOtherThanJson(reply))
        reply.header('content-type', 'application/hal+json')
      done()
    })
    await mountV4(ctx, v4)
    // Without a token, callers must not learn which addresses exist.
    v4.all('/*', notFoundHandler)
  }
}

/** Streams and files have their own types. */
function isOtherThanJson(reply: FastifyReply): boolean {
  const type = reply.getHeader('content-type')
  return typeof type === 'string' && !type.startsWith('application/json')
}
