import { newKey } from './keys.ts'
import { Unreachable } from './problem.ts'

/** The keys of writes that got no response, by address and body. The server may have done them. */
const unanswered = new Map<string, string>()

/**
 * Sends a request. A write that adds something gets an idempotency key, and the same one again if it had no response, so
 * that a person who tries again does not add the same thing twice.
 */
export async function repeatable(
  request: Request,
  send: (request: Request) => Promise<Response>,
): Promise<Response> {
  if (!adds(request)) return send(request)
  const name = `${request.url} ${await request.clone().text()}`
  const key = unanswered.get(name) ?? newKey()
  unanswered.delete(name)
  request.headers.set('idempotency-key', key)
  try {
    return await send(request)
  } catch (error) {
    if (error instanceof Unreachable) unanswered.set(name, key)
    throw error
  }
}

/** The operations of pages that accept such keys; test/web/page-writes.test.ts compares them with the server's. */
const OF_PAGES =
  /^\/web\/(channels|forms|integrations|views|deliveries\/(replay|\d+\/send)|webhooks\/\d+\/replay|installations\/[^/]+\/long-lived-tokens)$/

/** All of v4 accepts such keys. Its writes without a body add nothing, such as marking as read, except surveys. */
const OF_API = /^\/web\/v4\//
const WITHOUT_BODY = /\/surveys$/

export function adds({ method, url, headers }: Request): boolean {
  if (method !== 'POST' || headers.has('idempotency-key')) return false
  const { pathname } = new URL(url)
  if (OF_PAGES.test(pathname)) return true
  const hasBody = headers.get('content-type') === 'application/json'
  return OF_API.test(pathname) && (hasBody || WITHOUT_BODY.test(pathname))
}
