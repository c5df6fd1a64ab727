import { isIP } from 'node:net'
import type { Config } from '../config.ts'

/** The parsed Host of a request (P5). `subdomain` is null if the address belongs to no account. */
export interface Tenant {
  subdomain: string | null
}

export interface Hosts {
  /** Parses a Host header; null if it is not a name of this server. */
  read(host: string): Tenant | null
  /**
   * Whether this is a host of the file service: `drive` or `drive-…` below the base. No account can have these names.
   */
  isDrive(host: string): boolean
  /** The address of an account, without a path. */
  accountUrl(subdomain: string): string
  /** The host and port of an account, which clients use as its base domain. */
  accountHost(subdomain: string): string
}

export const NO_ACCOUNT: Tenant = { subdomain: null }
const KNOWN = 1_000

/** The addresses of this server: the base, its subdomains, and the consent and chat hosts. */
export function createHosts(config: Pick<Config, 'public_url' | 'auth_url' | 'chat_url' | 'host'>): Hosts {
  const base = new URL(config.public_url)
  const bare = new Set(['localhost', base.hostname, config.host])
  for (const url of [config.auth_url, config.chat_url]) bare.add(new URL(url).hostname)
  const known = new Map<string, Tenant | null>()

  const judge = (host: string): Tenant | null => {
    const name = hostname(host)
    if (name === null) return null
    if (bare.has(name) || isLoopback(name)) return NO_ACCOUNT
    const suffix = `.${base.hostname}`
    const subdomain = name.endsWith(suffix) ? name.slice(0, -suffix.length) : ''
    return subdomain && !subdomain.includes('.') ? { subdomain } : null
  }

  const read = (host: string): Tenant | null => {
    let tenant = known.get(host)
    if (tenant === undefined) {
      tenant = judge(host)
      if (known.size < KNOWN) known.set(host, tenant)
    }
    return tenant
  }

  return {
    read,
    isDrive: (host) => /^drive(-|$)/.test(read(host)?.subdomain ?? ''),
    accountUrl: (subdomain) => `${base.protocol}//${subdomain}.${base.host}`,
    accountHost: (subdomain) => `${subdomain}.${base.host}`,
  }
}

/** The name in a Host header, in lower case and without the port; null if it is invalid. */
function hostname(host: string): string | null {
  const match = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/i.exec(host)
  return match ? (match[1] as string).toLowerCase() : null
}

function isLoopback(name: string): boolean {
  const address = name.startsWith('[') ? name.slice(1, -1) : name
  return isIP(address) === 4 ? address.startsWith('127.') : address === '::1'
}
