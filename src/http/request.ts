import type { Tenant } from './hosts.ts'
import type { LargeBody } from './large-bodies.ts'

export interface Lifecycle {
  /** Set when the program was told to stop: it answers what it has begun, and is ready for nothing new. */
  draining: boolean
}

declare module 'fastify' {
  interface FastifyInstance {
    lifecycle: Lifecycle
    /** Surfaces with a form of refusal of their own, by what their addresses begin with. */
    refusalsBelow: [
      below: string,
      refuse: (error: unknown, request: FastifyRequest, reply: FastifyReply) => void,
    ][]
    /** Below each of these addresses refusals of an overload read alike: one is rendered, and repeated. */
    alikeBelow: string[]
  }
  interface FastifyContextConfig {
    /** The route answers under names that are not ours: a prober knows an address and no name. It has no tenant. */
    any_host?: boolean
    /** The address may hold whatever its caller gives to be given back. */
    any_bytes?: boolean
  }
  interface FastifyRequest {
    /** Scheme, host and port that the caller asked, taken while the connection is open. */
    origin: string
    /** What the Host header says; set before anything else runs. */
    tenant: Tenant
    /** Whom the log line of the request concerns; surfaces set it when they know. */
    account_id: number | null
    /** The body as it came, of a request with an Idempotency-Key. */
    body_bytes: Buffer | null
    /** Of a request whose body may be large. */
    largeBody: LargeBody | null
  }
}
