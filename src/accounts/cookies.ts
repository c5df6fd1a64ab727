import type { Config } from '../config.ts'

/** What a browser keeps for this server: the session, and the mark of a browser in which a person has signed in. */
export type CookieName = 'patchbay' | 'patchbay-device'

/** `__Host-` keeps a sibling subdomain from planting a cookie; browsers know it on https only. */
const isSecure = (config: Config) => config.public_url.startsWith('https:')
const nameOf = (config: Config, name: CookieName) => (isSecure(config) ? `__Host-${name}` : name)

/** `name=value`, as a Cookie header carries it. */
export function cookie(config: Config, name: CookieName, value: string): string {
  return `${nameOf(config, name)}=${value}`
}

/** The text of a Set-Cookie header; `max_age` in seconds, 0 forgets the cookie. */
export function setCookie(config: Config, name: CookieName, value: string, max_age: number): string {
  const secure = isSecure(config) ? '; Secure' : ''
  return `${cookie(config, name, value)}; Path=/; Max-Age=${max_age}; HttpOnly; SameSite=Lax${secure}`
}

/**
 * The cookie's value in a Cookie header. Two of one name are none: one of them was planted from elsewhere, and
 * nobody can say which.
 */
export function readCookie(config: Config, name: CookieName, header: string | undefined): string | undefined {
  const prefix = `${nameOf(config, name)}=`
  const found = (header ?? '')
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part.startsWith(prefix))
  return found.length === 1 ? (found[0] as string).slice(prefix.length) : undefined
}
