import { isIP } from 'node:net'
import type { Config } from '../config.ts'

/** The parsed Host of a request (P5). `subdomain` is null if the address belongs to no account. */
export interface Tenant {
  subdomain: string | null
  /** The domain of the request, with its port: that of PUBLIC_URL, or one of HOST_ALIASES. */
  base_host: string
}

export interface Hosts {
  /** Parses a Host header; null if it is not a name of this server. */
  read(host: string): Tenant | null
  /**
   * Whether this is a host of the file service: `drive` or `drive-…` below the base. No account can have these names.
   */
  isDrive(host: string): boolean
  /** Whether no account can have this subdomain: it is one of the server, or the platform has a service there. */
  isReserved(subdomain: string): boolean
  /** The host and port of PUBLIC_URL. */
  base_host: string
  /** The address of an account, without a path. */
  accountUrl(subdomain: string): string
  /** The host and port of an account, which clients use as its base domain. The default base is that of PUBLIC_URL. */
  accountHost(subdomain: string, base_host?: string): string
}

const KNOWN = 1_000
/** Hosts of the platform's services, which are no accounts. */
const SERVICE = /^(www|amojo(-.*)?|api(-.*)?)$/

type Settings = Pick<Config, 'public_url' | 'auth_url' | 'chat_url' | 'host' | 'host_aliases'>

/** The addresses of this server: the base, its subdomains, the consent and chat hosts, and the aliases of the base. */
export function createHosts(config: Settings): Hosts {
  const base = new URL(config.public_url)
  const bare = new Set(['localhost', base.hostname, config.host])
  for (const url of [config.auth_url, config.chat_url]) bare.add(new URL(url).hostname)
  const known = new Map<string, Tenant | null>()

  const judge = (host: string): Tenant | null => {
    const name = hostname(host)
    if (name === null) return null
    if (bare.has(name) || isLoopback(name)) return { subdomain: null, base_host: base.host }
    const subdomain = labelBelow(base.hostname, name)
    if (subdomain) return { subdomain, base_host: base.host }
    return judgeAlias(host, name)
  }

  const judgeAlias = (host: string, name: string): Tenant | null => {
    const alias = config.host_aliases.find((domain) => name === domain || labelBelow(domain, name))
    if (alias === undefined) return null
    const label = name === alias ? '' : labelBelow(alias, name)
    const base_host = alias + host.slice(name.length)
    return { subdomain: label === '' || SERVICE.test(label) ? null : label, base_host }
  }

  const read = (host: string): Tenant | null => {
    let tenant = known.get(host)
    if (tenant === undefined) {
      tenant = judge(host)
      if (known.size < KNOWN) known.set(host, tenant)
    }
    return tenant
  }

  const isDrive = (host: string) => /^drive(-|$)/.test(read(host)?.subdomain ?? '')
  const accountHost = (subdomain: string, base_host = base.host) => `${subdomain}.${base_host}`

  return {
    read,
    isDrive,
    isReserved: (subdomain) => {
      const host = accountHost(subdomain)
      return SERVICE.test(subdomain) || isDrive(host) || read(host)?.subdomain === null
    },
    base_host: base.host,
    accountUrl: (subdomain) => `${base.protocol}//${subdomain}.${base.host}`,
    accountHost,
  }
}

/** The one label before the domain; empty if there is none or several. */
function labelBelow(domain: string, name: string): string {
  if (!name.endsWith(`.${domain}`)) return ''
  const label = name.slice(0, -domain.length - 1)
  return label.includes('.') ? '' : label
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
