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
 * Whether a page of another address made the browser send a request. Browsers state the relation in Sec-Fetch-Site, which
 * pages cannot forge. On plain http some browsers omit it; then Origin decides. A client that is no browser sends neither.
 */
export function isOfOtherPage({ headers, protocol, host }: Written): boolean {
  const { origin, 'sec-fetch-site': site } = headers
  if (site !== undefined) return site !== 'same-origin'
  return origin !== undefined && origin !== `${protocol}://${host}`
}

/** Refuses a write that another site or a sibling subdomain made the browser send, or that states no origin (A9). */
export function requireSameOrigin(request: Written): void {
  const { origin, 'sec-fetch-site': site } = request.headers
  if ((origin === undefined && site === undefined) || isOfOtherPage(request)) throw crossOrigin()
}

export const crossOrigin = (): Refusal =>
  new Refusal('forbidden', 'This request did not come from a page of this address.', { code: 'cross_origin' })

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

/** The person and the account of a page, as it writes them into the addresses of its streams. */
interface PageOwner {
  user_id: number
  account_id: number
}

/**
 * Refuses a request that was begun as somebody else, or in another account: another window has switched it meanwhile. A
 * stream and a download check this while they are open.
 */
export function requireSameOwner(begun: PageOwner, { user_id, account_id }: PageOwner): void {
  if (begun.user_id === user_id && begun.account_id === account_id) return
  throw new Refusal('forbidden', 'This page belongs to another session or account. Reload the page.', {
    code: 'csrf_token',
  })
}

/**
 * Refuses a stream of a page whose session or account was replaced. The browser opens a stream without the header of the
 * token, and opens it again by itself, so its address has the owner of the page: `page_of=USER.ACCOUNT`.
 */
export function requirePageOwner(owner: PageOwner, query: unknown): void {
  const { page_of } = query as { page_of?: unknown }
  if (typeof page_of !== 'string') return
  const [user_id, account_id] = page_of.split('.').map(Number)
  requireSameOwner({ user_id: user_id ?? 0, account_id: account_id ?? 0 }, owner)
}
