import type { Config } from '../../config.ts'

/**
 * The session cookie, the cookie that marks a browser in which a person has signed in before, and the one of clients of
 * the older APIs (F11).
 */
export type CookieName = 'patchbay' | 'patchbay-device' | 'patchbay-api'

/** The `__Host-` prefix stops a sibling subdomain from setting the cookie. Browsers accept it on https only. */
const isSecure = (config: Config) => config.public_url.startsWith('https:')
const nameOf = (config: Config, name: CookieName) => (isSecure(config) ? `__Host-${name}` : name)

/** `name=value`, as in a Cookie header. */
export function cookie(config: Config, name: CookieName, value: string): string {
  return `${nameOf(config, name)}=${value}`
}

/** A Set-Cookie header value; `max_age` is in seconds, and 0 deletes the cookie. */
export function setCookie(config: Config, name: CookieName, value: string, max_age: number): string {
  const secure = isSecure(config) ? '; Secure' : ''
  return `${cookie(config, name, value)}; Path=/; Max-Age=${max_age}; HttpOnly; SameSite=Lax${secure}`
}

/**
 * Reads a cookie from a Cookie header. If the name occurs twice, it returns undefined: one of the two was planted,
 * and nothing tells which.
 */
export function readCookie(config: Config, name: CookieName, header: string | undefined): string | undefined {
  const prefix = `${nameOf(config, name)}=`
  const found = (header ?? '')
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part.startsWith(prefix))
  return found.length === 1 ? (found[0] as string).slice(prefix.length) : undefined
}
