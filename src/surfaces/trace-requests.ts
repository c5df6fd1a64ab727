import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { withoutSecretsOfAddress } from '../request-log/request-log.ts'
import { spanIdOf, traceIdOf } from '../tracing/request-ids.ts'
import type { Span } from '../tracing/telemetry.ts'

/** Exports a span for each request. Without a collector, no hook is added. */
export function traceRequests({ telemetry, clock }: Context, app: FastifyInstance): void {
  if (!telemetry) return
  app.addHook('onResponse', (request, reply, done) => {
    telemetry.add(spanOf(request, reply, clock()))
    done()
  })
}

/** By the semantic conventions of OpenTelemetry for HTTP servers. */
function spanOf(request: FastifyRequest, reply: FastifyReply, now: number): Span {
  const { id, method, trace_context: caller } = request
  const { url: route, schema } = request.routeOptions
  const span_id = spanIdOf(id)
  const status = reply.statusCode
  return {
    kind: 'server',
    name: route === undefined ? method : `${method} ${route}`,
    context: caller
      ? { ...caller, span_id }
      : { trace_id: traceIdOf(id), span_id, is_sampled: false, state: '' },
    parent_span_id: caller?.span_id ?? null,
    from: now - reply.elapsedTime,
    to: now,
    attributes: {
      'http.request.method': method,
      ...(route !== undefined && { 'http.route': route }),
      ...addressOf(request),
      'http.response.status_code': status,
      ...(status >= 500 && { 'error.type': String(status) }),
      'patchbay.request_id': id,
      ...ofPatchbay(request, schema?.operationId),
    },
    error: status >= 500 ? String(status) : null,
  }
}

function addressOf({ raw, protocol, hostname, port }: FastifyRequest): Span['attributes'] {
  const { path, query } = withoutSecretsOfAddress(raw.url ?? '/')
  return {
    'url.scheme': protocol,
    'url.path': path,
    ...(query && { 'url.query': query }),
    'server.address': hostname,
    ...(port && { 'server.port': port }),
    'network.protocol.version': raw.httpVersion,
  }
}

function ofPatchbay(request: FastifyRequest, operation: string | undefined): Span['attributes'] {
  const { account_id, actor } = request
  const integration = actor?.integration
  return {
    ...(operation !== undefined && { 'patchbay.operation': operation }),
    ...(account_id !== null && { 'patchbay.account_id': account_id }),
    ...(integration && { 'patchbay.integration_id': integration.id }),
  }
}
