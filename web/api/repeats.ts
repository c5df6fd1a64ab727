import { newKey } from './keys.ts'
import { isInProgress, mayBeDone } from './problem.ts'

/** The keys of writes that the server may have done, by address and body. */
const unanswered = new Map<string, string>()

/** How often a write is sent while the server still does it for an earlier request. */
const MOST_TRIES = 5

/**
 * Sends a request. A write that adds something gets an idempotency key, and the same one again if the server may have done it,
 * so that a person who tries again does not add the same thing twice.
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
    return await sendUntilDone(request, send)
  } catch (error) {
    if (mayBeDone(error)) unanswered.set(name, key)
    throw error
  }
}

/** Waits for the response to an earlier request, which this one then gets. */
async function sendUntilDone(
  request: Request,
  send: (request: Request) => Promise<Response>,
): Promise<Response> {
  for (let tries = 1; ; tries++)
    try {
      return await send(request.clone())
    } catch (error) {
      if (!isInProgress(error) || tries === MOST_TRIES) throw error
      await new Promise((resume) => setTimeout(resume, (error.retryAfter ?? 1) * 1_000))
    }
}

/** The operations of pages that accept such keys; test/web/page-writes.test.ts compares them with the server's. */
const OF_PAGES =
  /^\/web\/(channels|forms|integrations|views|deliveries\/(replay|\d+\/send)|webhooks(\/\d+\/replay)?|installations\/[^/]+\/long-lived-tokens)$/

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
