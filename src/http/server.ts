import { randomUUID } from 'node:crypto'
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
  type RawServerDefault,
} from 'fastify'
import './request.ts'
import type { Context } from '../context.ts'
import { Refusal } from '../errors.ts'
import { parseQuery, UNREADABLE } from './bracket-query.ts'
import { createListener, refuseUnreadable } from './framing.ts'
import { membersWithin, parseJson } from './json-body.ts'
import { notFoundHandler, problemHandler } from './problem.ts'
import { serializerCompiler } from './serialization.ts'
import { validatorCompiler } from './validation.ts'

/** Largest body where a route does not name its own, in bytes. */
const BODY_LIMIT = 65_536

/** An HTTP server with the conventions of the wire and no routes: request ids, hosts, bodies, problems, metrics. */
export function createServer(ctx: Context): FastifyInstance {
  const app = Fastify({
    loggerInstance: ctx.log,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    genReqId: () => randomUUID(),
    trustProxy: ctx.config.trust_proxy.length > 0 ? ctx.config.trust_proxy : false,
    bodyLimit: BODY_LIMIT,
    serverFactory: (handler) => createListener(handler, ctx.config.tls) as RawServerDefault,
    clientErrorHandler: refuseUnreadable,
    // An address that the router cannot read goes through no hook, and to no surface: its beginning says whose it is.
    frameworkErrors: (error, request, reply) => {
      const own = app.refusalsBelow.find(([below]) => request.url.startsWith(below))?.[1]
      const refuse = own ?? problemHandler
      refuse(error, request, marked(request, reply))
    },
    routerOptions: { querystringParser: parseQuery, maxParamLength: 200, ignoreTrailingSlash: true },
    forceCloseConnections: 'idle',
  }) as unknown as FastifyInstance

  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  app.setErrorHandler(problemHandler)
  app.setNotFoundHandler(notFoundHandler)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, bytes, done) => {
    // Only a key has to tell this body from another one (V9).
    if (request.headers['idempotency-key'] !== undefined) request.body_bytes = bytes as Buffer
    try {
      // Many clients send the type with every request: where no body is asked for, none is no mistake.
      const isNone = bytes.length === 0 && !request.routeOptions.schema?.body
      const most = membersWithin(request.routeOptions.bodyLimit)
      done(null, isNone ? undefined : parseJson(bytes as Buffer, most))
    } catch (error) {
      done(error as Error)
    }
  })

  app.decorate('refusalsBelow', [])
  app.decorate('lifecycle', { draining: false })
  app.decorateRequest('tenant')
  app.decorateRequest('account_id', null)
  app.decorateRequest('body_bytes', null)
  app.addHook('onRequest', (request, reply, done) => {
    marked(request, reply)
    const tenant = ctx.hosts.read(request.host)
    if (request.query === UNREADABLE)
      return done(new Refusal('invalid', 'The query is too deep or too long.'))
    // No text of ours holds NUL, and PostgreSQL takes none.
    if (request.url.includes('%00') && !request.routeOptions.config.any_bytes)
      return done(new Refusal('invalid', 'The address holds NUL.'))
    if (!tenant && !request.routeOptions.config.any_host)
      return done(new Refusal('invalid', 'This server does not answer under that host name.'))
    if (tenant) request.tenant = tenant
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none'
    const labels = { method: request.method, route, status: String(reply.statusCode) }
    ctx.metrics.requests.observe(labels, reply.elapsedTime / 1000)
    // The route and never the address: queries of consent and callbacks hold codes.
    request.log.info(
      { ...labels, ms: Math.round(reply.elapsedTime * 10) / 10, account_id: request.account_id },
      'request',
    )
    done()
  })
  return app
}

/** What every answer carries (V11). */
const marked = (request: FastifyRequest, reply: FastifyReply): FastifyReply =>
  reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff')
