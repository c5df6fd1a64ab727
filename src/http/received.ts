import type { FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { type SentBody, sentBody } from '../traffic.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The body as it was received, while requests are recorded. */
    received: SentBody | null
  }
}

/** Keeps the beginning of a body before it is parsed, if requests are recorded. */
export function keepReceived({ traffic }: Context, request: FastifyRequest, body: Buffer | string): void {
  if (traffic.isOn) request.received = sentBody(body)
}
