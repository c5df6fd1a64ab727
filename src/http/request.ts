import type { Tenant } from './hosts.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Set when the program was told to stop: it answers what it has begun, and is ready for nothing new. */
    lifecycle: { draining: boolean }
    /** Surfaces with a form of refusal of their own, by what their addresses begin with. */
    refusalsBelow: [
      below: string,
      refuse: (error: unknown, request: FastifyRequest, reply: FastifyReply) => void,
    ][]
  }
  interface FastifyContextConfig {
    /** The route answers under names that are not ours: a prober knows an address and no name. It has no tenant. */
    any_host?: boolean
    /** The address may hold whatever its caller gives to be given back. */
    any_bytes?: boolean
  }
  interface FastifyRequest {
    /** What the Host header says; set before anything else runs. */
    tenant: Tenant
    /** Whom the log line of the request concerns; surfaces set it when they know. */
    account_id: number | null
    /** The body as it came, of a request with an Idempotency-Key. */
    body_bytes: Buffer | null
  }
}
