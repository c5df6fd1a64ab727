import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'

/** Requests whose method is GET until they are routed. */
const routedAsGet = new WeakSet<IncomingMessage>()

/**
 * A HEAD request takes the route of GET, and Node sends the headers of the answer without its content (RFC 9110, 9.3.2).
 * Fastify would mount a second route for each GET: a tenth of a start, and four MiB.
 */
export function routeHeadAsGet(request: IncomingMessage): void {
  if (request.method !== 'HEAD') return
  request.method = 'GET'
  routedAsGet.add(request)
}

/** Gives a routed HEAD request its method back, for hooks and handlers. */
export function restoreHead(request: IncomingMessage): void {
  if (routedAsGet.delete(request)) request.method = 'HEAD'
}

/** Ends a stream that GET would send, such as an export or a live stream, and returns null for it; other content as it is. */
export function endStream(payload: unknown): unknown {
  if (!(payload instanceof Readable)) return payload
  payload.destroy()
  return null
}
