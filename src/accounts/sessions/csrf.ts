import { Refusal } from '../../errors.ts'
import { sameText } from '../../secrets.ts'
import type { BrowserSession } from './sessions.ts'

/** The parts of a request that show its origin; a Fastify request has them. */
interface Written {
  method: string
  headers: { origin?: string; 'sec-fetch-site'?: string | string[]; 'x-csrf-token'?: string | string[] }
  protocol: string
  host: string
}

/**
 * Refuses a write that another site or a sibling subdomain made the browser send (A9). Browsers state the relation
 * in Sec-Fetch-Site, which pages cannot forge. On plain http some browsers omit it; then Origin must be this
 * server's.
 */
export function requireSameOrigin({ headers, protocol, host }: Written): void {
  const site = headers['sec-fetch-site']
  if (site === undefined ? headers.origin === `${protocol}://${host}` : site === 'same-origin') return
  throw new Refusal('forbidden', 'This request did not come from a page of this address.', {
    code: 'cross_origin',
  })
}

export const isWrite = (method: string): boolean => !['GET', 'HEAD', 'OPTIONS'].includes(method)

/**
 * The second check: a token that only a page of this origin can read. A page sends it with its reads, too, so that it never
 * shows another session or account than its own.
 */
export function requireCsrfToken(session: BrowserSession, { method, headers }: Written): void {
  const token = headers['x-csrf-token']
  if (token === undefined && !isWrite(method)) return
  if (typeof token === 'string' && sameText(token, session.csrf_token)) return
  throw new Refusal('forbidden', 'The CSRF token is missing or wrong. Reload the page.', {
    code: 'csrf_token',
  })
}
