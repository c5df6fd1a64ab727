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

/** The surface of the API has such keys. Writes without a body, such as marking as read, add nothing. */
const adds = ({ method, url, headers }: Request): boolean =>
  method === 'POST' &&
  new URL(url).pathname.startsWith('/web/v4/') &&
  headers.get('content-type') === 'application/json' &&
  !headers.has('idempotency-key')
