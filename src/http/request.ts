import type { TraceContext } from '../tracing/trace-context.ts'
import type { Tenant } from './hosts.ts'
import type { LargeBody } from './limits/large-bodies.ts'

export interface Lifecycle {
  /** Set during shutdown. The server finishes its requests and reports that it is not ready. */
  draining: boolean
}

declare module 'fastify' {
  interface FastifyInstance {
    lifecycle: Lifecycle
    /** The methods that the routes of a path accept, in alphabetical order. */
    methodsOf: (path: string) => string[]
    /** Surfaces with their own form of refusals, by the prefix of their addresses. */
    refusalsBelow: [
      below: string,
      refuse: (error: unknown, request: FastifyRequest, reply: FastifyReply) => void,
    ][]
    /** Below each of these addresses, refusals under overload are equal, so one is rendered and repeated. */
    alikeBelow: string[]
  }
  interface FastifyContextConfig {
    /** The route answers under any host name, because health checks use an address. It has no tenant. */
    any_host?: boolean
    /** The address can contain any bytes, because it returns a text of the caller. */
    any_bytes?: boolean
  }
  interface FastifyRequest {
    /** Scheme, host and port of the request, read while the connection is open. */
    origin: string
    /** The parsed Host header; set before every other hook. */
    tenant: Tenant
    /** The account for the log line. Surfaces set it when they know it. */
    account_id: number | null
    /** The trace that the caller sent; null if there was none. */
    trace_context: TraceContext | null
    /** Whether the server refuses the request because it has too many. Such refusals are counted, and not logged. */
    is_overload: boolean
    /** The raw body of a request with an Idempotency-Key. */
    body_bytes: Buffer | null
    /** Set if the body can be large. */
    largeBody: LargeBody | null
  }
}
