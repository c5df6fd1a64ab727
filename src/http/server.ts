import type { IncomingMessage } from 'node:http'
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type RawServerDefault,
} from 'fastify'
import './request.ts'
import type { Context } from '../context.ts'
import { asOneWork } from '../db/database-waits.ts'
import { Refusal } from '../errors.ts'
import { newRequestId } from '../tracing/request-ids.ts'
import { readTraceContext } from '../tracing/trace-context.ts'
import { AnswerLog } from './answer-log.ts'
import { membersWithin, parseJson } from './bodies/json-body.ts'
import { serializerCompiler } from './bodies/serialization.ts'
import { validatorCompiler } from './bodies/validation.ts'
import { CONNECTIONS, createListener, refuseUnreadable } from './framing.ts'
import { endStream, restoreHead, routeHeadAsGet } from './head-requests.ts'
import { boundLargeBodies } from './limits/large-bodies.ts'
import { createLoadShedding, type LoadShedding } from './limits/load-shedding.ts'
import { shareOf } from './limits/places.ts'
import { collectMethods } from './problems/allowed-methods.ts'
import { notFoundHandler, problemHandler } from './problems/problem.ts'
import { createProxies, dropForwardedPorts } from './proxies.ts'
import { parseQuery, UNREADABLE } from './queries/bracket-query.ts'
import { keepReceived } from './received.ts'

/** The largest body of a route without its own limit, in bytes. */
const BODY_LIMIT = 65_536
/** The largest body of a batch, in bytes (V12). */
const BATCH_BODY = 2 * 1024 * 1024

/** Creates an HTTP server without routes: request ids, hosts, bodies, problems and metrics. */
export function createServer(ctx: Context): FastifyInstance {
  const proxies = createProxies(ctx.config.trust_proxy, ctx.log)
  const alikeBelow: string[] = []
  const loadShedding = createLoadShedding(ctx, proxies, alikeBelow)
  const app = Fastify({
    loggerInstance: ctx.log,
    logController: new AnswerLog(),
    genReqId: () => newRequestId(ctx),
    trustProxy: ctx.config.trust_proxy.length > 0 ? ctx.config.trust_proxy : false,
    bodyLimit: BODY_LIMIT,
    serverFactory: (handler) => {
      const { take, accepted } = loadShedding.admit(handler)
      const refusedConnection = () => ctx.metrics.refused.inc({ reason: 'connections' })
      const { tls } = ctx.config
      const limits = {
        all: shareOf(CONNECTIONS.all, ctx.config),
        each: shareOf(CONNECTIONS.each, ctx.config),
      }
      const parts = { tls, proxies, accepted, refusedConnection, limits }
      return createListener(take, parts) as RawServerDefault
    },
    clientErrorHandler: refuseUnreadable,
    // The router cannot parse the address, so no hooks run and no surface is known. The prefix determines the surface.
    frameworkErrors: (error, request, reply) => {
      restoreHead(request.raw)
      const own = app.refusalsBelow.find(([below]) => request.url.startsWith(below))?.[1]
      const refuse = own ?? problemHandler
      refuse(error, request, marked(request, reply))
    },
    routerOptions,
    forceCloseConnections: 'idle',
    // A request on a connection that was accepted before is served. Then the connection ends.
    return503OnClosing: false,
    exposeHeadRoutes: false,
    rewriteUrl: (request) => {
      routeHeadAsGet(request)
      dropForwardedPorts(request)
      return routedUrl(ctx, request)
    },
  }) as unknown as FastifyInstance

  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  app.setErrorHandler(problemHandler)
  app.setNotFoundHandler(notFoundHandler)
  app.removeAllContentTypeParsers()
  app.addHook('onRoute', (route) => {
    const { type } = Object(route.schema?.body) as { type?: unknown }
    if (type === 'array') route.bodyLimit ??= BATCH_BODY
  })
  parseJsonBodies(ctx, app)
  app.decorate('methodsOf', collectMethods(app, routerOptions))
  app.decorate('refusalsBelow', [])
  app.decorate('alikeBelow', alikeBelow)
  app.decorate('lifecycle', { draining: false })
  decorateRequests(app)
  app.addHook('onRequest', (request, reply, done) => {
    restoreHead(request.raw)
    marked(request, reply)
    keepTraceContext(ctx, request)
    proxies.warn(request.raw)
    const overload = loadShedding.refusalOf(request.raw)
    request.is_overload = overload !== undefined
    asOneWork(() => done(overload ?? readTenant(ctx, request)))
  })
  reportResponses(app, ctx, loadShedding)
  return app
}

const routerOptions = {
  querystringParser: parseQuery,
  // Providers of chats name messages and conversations by up to 255 characters.
  maxParamLength: 255,
  // Clients join a base address and a path that both have a slash (V13).
  ignoreTrailingSlash: true,
  ignoreDuplicateSlashes: true,
}

/** The members of a request in their first state (`request.ts`). */
function decorateRequests(app: FastifyInstance): void {
  app.decorateRequest('tenant')
  app.decorateRequest('account_id', null)
  app.decorateRequest('body_bytes', null)
  app.decorateRequest('received', null)
  app.decorateRequest('is_overload', false)
  app.decorateRequest('explainSignature', undefined)
  app.decorateRequest('answered', null)
  app.decorateRequest('unread', null)
  app.decorateRequest('trace_context', null)
  app.decorateRequest('origin')
}

/** Some clients expect the file service at the root of its own host. */
const routedUrl = ({ hosts }: Context, { url = '/', headers }: IncomingMessage): string =>
  url.startsWith('/v1.0/') && hosts.isDrive(headers.host ?? '') ? `/drive${url}` : url

function parseJsonBodies(ctx: Context, app: FastifyInstance): void {
  const parseInTurn = boundLargeBodies(ctx, app)
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const bytes = body as Buffer
    keepReceived(ctx, request, bytes)
    // Only an idempotency key needs the raw body (V9).
    if (request.headers['idempotency-key'] !== undefined) request.body_bytes = bytes
    const { bodyLimit, schema } = request.routeOptions
    // Many clients send a content type with every request. It is not an error if the route needs no body.
    if (bytes.length === 0 && !schema?.body) return done(null, undefined)
    if (bytes.length === 0 && isOptional(schema?.body)) return done(null, null)
    const { maxItems } = Object(schema?.body) as { maxItems?: number }
    parseInTurn(request, bytes, () => parseJson(bytes, membersWithin(bodyLimit), maxItems), done)
  })
}

/** Whether a request may have no body: the schema allows null. */
const isOptional = (body: unknown): boolean =>
  (Object(body) as { anyOf?: { type?: string }[] }).anyOf?.some(({ type }) => type === 'null') ?? false

/** Sets the account whose host the request names. Returns the reason if the server cannot read the request. */
function readTenant({ hosts }: Context, request: FastifyRequest): Refusal | undefined {
  const isDrive = request.url.startsWith('/drive/') && hosts.isDrive(request.host)
  const named = hosts.read(request.host)
  const tenant = named && isDrive ? { ...named, subdomain: null } : named
  if (request.query === UNREADABLE) return new Refusal('invalid', 'The query is too deep or too long.')
  // Stored texts never contain NUL, and PostgreSQL rejects it.
  if (request.url.includes('%00') && !request.routeOptions.config.any_bytes)
    return new Refusal('invalid', 'The address contains NUL.')
  if (!tenant && !request.routeOptions.config.any_host)
    return new Refusal('invalid', 'This server does not serve this host name.')
  if (tenant) request.tenant = tenant
  const encoding = request.headers['content-encoding']
  if (encoding !== undefined && hasBody(request) && encoding.toLowerCase() !== 'identity')
    return new Refusal('unsupported', UNREAD_ENCODING)
  return undefined
}

/** The trace of the caller, which what the request causes continues (Q10). */
function keepTraceContext({ traces, telemetry }: Context, request: FastifyRequest): void {
  const { traceparent, tracestate } = request.headers
  if (traceparent === undefined) return
  const context = readTraceContext(traceparent, tracestate)
  request.trace_context = context
  if (!context) return
  const is_sampled = telemetry ? telemetry.isSampled(context.trace_id, context) : context.is_sampled
  traces.open(request.id, { ...context, is_sampled })
}

/** Logs and counts responses. Refusals under overload are only stored, to repeat them. */
function reportResponses(app: FastifyInstance, ctx: Context, loadShedding: LoadShedding): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    // Runs after the hooks of the surface, which add headers.
    if (request.is_overload && typeof payload === 'string')
      reply.raw.once('finish', () => loadShedding.refused(request.raw, reply.getHeaders(), payload))
    done(null, request.method === 'HEAD' ? endStream(payload) : payload)
  })
  app.addHook('onResponse', (request, reply, done) => {
    if (request.trace_context) ctx.traces.close(request.id)
    // Refusals are counted. Logging each one would cost more than the refusal.
    if (request.is_overload) return done()
    const route = request.routeOptions.url ?? 'none'
    const labels = { method: request.method, route, status: String(reply.statusCode) }
    ctx.metrics.requests.observe(labels, reply.elapsedTime / 1000)
    // Log the route, not the address: consent and callback queries contain codes.
    request.log.info(
      { ...labels, ms: Math.round(reply.elapsedTime * 10) / 10, account_id: request.account_id },
      'request',
    )
    done()
  })
}

const hasBody = ({ method }: FastifyRequest): boolean => method !== 'GET' && method !== 'HEAD'

const UNREAD_ENCODING =
  'The server does not decompress bodies. Repeat the request without compression and without the Content-Encoding header.'

/** Sets the headers of every answer (V11) and reads the origin while the connection is open. */
function marked(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  request.origin = `${request.protocol}://${request.host}`
  return reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff')
}
