import { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { OutboundReason } from './reason-types.ts'

export type { OutboundReason } from './reason-types.ts'

/** A request that got no answer. `duration_ms` is the time that it took, without the wait for a free connection. */
export class OutboundError extends Error {
  override name = 'OutboundError'
  readonly reason: OutboundReason
  duration_ms = 0

  constructor(reason: OutboundReason, message: string, cause?: unknown) {
    super(message, { cause })
    this.reason = reason
  }
}

/** The destination of a request, before its name is resolved. */
export interface Target {
  url: URL
  /** Scheme, host and port: the unit of the concurrency limits. */
  endpoint: string
  /** Name or literal address: IPv6 without brackets, a name without its final dot. */
  hostname: string
  port: number
  secure: boolean
}

const MAX_URL_LENGTH = 8192

/**
 * Reads a URL. Throws OutboundError `bad_url` for schemes other than http and https, for credentials, for ports below
 * 1024 except 80 and 443, and for URLs over 8 KiB.
 */
export function readTarget(text: string): Target {
  const url = text.length <= MAX_URL_LENGTH ? URL.parse(text) : null
  if (!url)
    throw new OutboundError(
      'bad_url',
      `A URL begins with http:// or https:// and has at most ${MAX_URL_LENGTH} characters.`,
    )
  const secure = url.protocol === 'https:'
  if (!secure && url.protocol !== 'http:')
    throw new OutboundError('bad_url', 'The URL must use http or https.')
  if (url.username || url.password)
    throw new OutboundError('bad_url', 'The URL must not contain credentials.')
  const port = Number(url.port || (secure ? 443 : 80))
  if (port < 1024 && port !== 80 && port !== 443)
    throw new OutboundError('bad_url', `Port ${port} is not allowed.`)
  const hostname = url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
  if (/(^|\.)(\.|$)/.test(hostname)) throw new OutboundError('bad_url', 'The URL has no host.')
  return { url, endpoint: url.origin, hostname, port, secure }
}

/** The endpoint of a URL. For an invalid URL it is the text itself: the request is refused before it opens a socket. */
export function endpointOf(url: string): string {
  return URL.parse(url)?.origin ?? url
}

/** Address ranges that the operator allowed (`OUTBOUND_ALLOW`). */
export type Ranges = readonly [ipaddr.IPv4 | ipaddr.IPv6, number][]

/** `public`: global unicast. `allowed`: the operator allowed it. `forbidden`: everything else, and invalid addresses. */
export type Judgement = 'public' | 'allowed' | 'forbidden'

/** Reads CIDRs such as `10.0.0.0/8` or `fd00::/8`. Throws an Error with the first invalid one. */
export function parseRanges(cidrs: string[]): Ranges {
  return cidrs.map((cidr) => {
    const [address = '', bits] = cidr.split('/')
    if (!isIP(address) || !/^\d{1,3}$/.test(bits ?? '') || !ipaddr.isValidCIDR(cidr))
      throw new Error(`${cidr} is not an address range such as 10.0.0.0/8.`)
    return ipaddr.parseCIDR(cidr)
  })
}

/**
 * Decides whether an address can be called. An address that contains another one (IPv4-mapped, NAT64, 6to4, Teredo) is
 * judged by its own range, which is never global unicast: an allowed range of the inner address does not allow it.
 */
export function judgeAddress(address: string, allow: Ranges): Judgement {
  // The library's parser also accepts spellings such as `010.1`.
  if (!isIP(address) || address.includes('%')) return 'forbidden'
  const parsed = ipaddr.parse(address)
  if (allow.some(([range, bits]) => range.kind() === parsed.kind() && parsed.match(range, bits)))
    return 'allowed'
  return isGlobalUnicast(parsed) ? 'public' : 'forbidden'
}

/** The only part of IPv6 that is assigned as global unicast. The library reports every unknown range as unicast. */
const GLOBAL_IPV6: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3]

function isGlobalUnicast(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.range() !== 'unicast') return false
  return address.kind() === 'ipv4' || address.match(GLOBAL_IPV6)
}

/** Ports of services that could act on the text of an HTTP request. Addresses that the operator allowed are exempt. */
const forbiddenPorts = {
  sql_server: [1433, 1434],
  oracle: [1521, 1522],
  mysql: [3306, 33060],
  postgresql: [5432, 5433, 6432],
  other_databases: [3050, 8086, 8123, 26257, 28015, 50000],
  cassandra: [7000, 7001, 9042, 9160],
  couchdb: [5984],
  elasticsearch: [9200, 9300],
  mongodb: [27017, 27018, 27019],
  graphs: [7474, 7687, 8529],
  redis: [6379, 6380, 16379, 26379],
  memcached: [11211],
  queues: [1883, 2181, 4222, 5671, 5672, 8883, 9092, 11300, 61613, 61616],
  mail: [2525],
  chat_and_calls: [
    1719, 1720, 5060, 5061, 5222, 5269, 6660, 6661, 6662, 6663, 6664, 6665, 6666, 6667, 6668, 6669, 6697,
  ],
  docker: [2375, 2376, 2377],
  etcd: [2379, 2380],
  kubernetes: [6443, 10250, 10255, 10256],
  consul_nomad_vault: [4646, 4647, 4648, 8200, 8300, 8301, 8302, 8500, 8501, 8600],
  files: [2049, 3260, 4045],
  desktops: [1723, 3389, 5900, 5901, 5985, 5986, 6000],
  debuggers: [5005],
}

const FORBIDDEN_PORTS: ReadonlySet<number> = new Set(Object.values(forbiddenPorts).flat())

/** Returns every address of a name. Throws when it has none. Tests pass their own. */
export type Resolve = (hostname: string) => Promise<string[]>

/** The second attempt waits twice as long: 1.5 s in all, so if one family gets no answer, the other one is still used. */
export const DNS_RETRIES = { timeout: 500, tries: 2 }

/**
 * Resolves names by DNS, IPv4 first. `localhost` is the loopback address (RFC 6761).
 *
 * The resolver of the operating system (getaddrinfo) occupies one of a few threads until it finishes: a name whose
 * servers never answer would delay all other names.
 */
export function createResolve(resolver = new Resolver(DNS_RETRIES)): Resolve {
  return async (hostname) => {
    if (/(^|\.)localhost$/i.test(hostname)) return ['127.0.0.1', '::1']
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
    const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    const [first] = answers
    if (found.length === 0 && first.status === 'rejected') throw first.reason
    return found
  }
}

/**
 * Resolves the host of a target and returns the addresses that can be called. Throws OutboundError `dns` when there is no
 * address, `forbidden_address` when none of them can be called.
 */
export async function findAllowedAddresses(
  { hostname, port }: Target,
  resolve: Resolve,
  allow: Ranges,
): Promise<string[]> {
  const found = isIP(hostname) ? [hostname] : await resolve(hostname).catch((error) => error)
  if (!Array.isArray(found)) throw new OutboundError('dns', `The name ${hostname} does not resolve.`, found)
  if (found.length === 0) throw new OutboundError('dns', `The name ${hostname} has no address.`)
  const allowed = found.filter((address) => {
    const judgement = judgeAddress(address, allow)
    return judgement === 'allowed' || (judgement === 'public' && !FORBIDDEN_PORTS.has(port))
  })
  if (allowed.length === 0)
    throw new OutboundError('forbidden_address', `The addresses of ${hostname} are not allowed.`)
  return allowed
}
