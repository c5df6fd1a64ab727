import { newSpanId, type Telemetry } from '../tracing/telemetry.ts'
import { contextOf, type TraceContext, traceparentOf } from '../tracing/trace-context.ts'
import { type Outbound, type OutboundAnswer, OutboundError, type OutboundRequest } from './http-client.ts'

/**
 * Each attempt that a request caused has a span of its own in the trace of that request. The receiver gets it as
 * `traceparent`, and the collector of the operator as a span of a client, if there is one.
 */
export function tracedOutbound(
  outbound: Outbound,
  telemetry: Telemetry | null,
  clock: () => number,
): Outbound {
  return {
    close: () => outbound.close(),
    request: async (request) => {
      const { about } = request
      const parent = about && contextOf({ trace_context: null, ...about }, telemetry)
      if (!parent) return outbound.request(request)
      const context = { ...parent, span_id: newSpanId() }
      const sent = { ...request, headers: { ...request.headers, ...headersOf(context) } }
      if (!telemetry) return outbound.request(sent)
      const from = clock()
      const end = (outcome: Outcome) =>
        telemetry.add({
          kind: 'client',
          name: request.method,
          context,
          parent_span_id: parent.span_id,
          from,
          to: Math.max(from, clock()),
          ...described(request, outcome),
        })
      try {
        const answer = await outbound.request(sent)
        end({ answer })
        return answer
      } catch (error) {
        end({ reason: error instanceof OutboundError ? error.reason : 'fault' })
        throw error
      }
    },
  }
}

const headersOf = (context: TraceContext): Record<string, string> => ({
  traceparent: traceparentOf(context),
  ...(context.state && { tracestate: context.state }),
})

interface Outcome {
  answer?: OutboundAnswer
  reason?: string
}

/** By the semantic conventions of OpenTelemetry for HTTP clients, without the path and the query, which can be secrets. */
function described({ method, url, about }: OutboundRequest, { answer, reason }: Outcome) {
  const address = URL.parse(url)
  const { kind = '', account_id = 0, delivery_id, attempt } = about ?? {}
  const failure = reason ?? (answer && answer.status >= 400 ? String(answer.status) : null)
  const attributes = {
    'http.request.method': method,
    ...(address && { 'server.address': address.hostname, 'url.full': address.origin }),
    ...(address && { 'server.port': Number(address.port) || (address.protocol === 'https:' ? 443 : 80) }),
    ...(answer && { 'http.response.status_code': answer.status }),
    ...(failure && { 'error.type': failure }),
    ...(attempt !== undefined && attempt > 1 && { 'http.request.resend_count': attempt - 1 }),
    'patchbay.kind': kind,
    'patchbay.account_id': account_id,
    ...(delivery_id !== undefined && { 'patchbay.delivery_id': delivery_id }),
  }
  return { attributes, error: failure }
}
