import type { IncomingMessage } from 'node:http'
import ipaddr from 'ipaddr.js'
import type { Logger } from 'pino'

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number]

/** The proxies of TRUST_PROXY and the clients behind them. */
export interface Proxies {
  /** Whether the address is a trusted proxy. */
  isTrusted(address: string | undefined): boolean
  /** The client's address: from a trusted proxy's header, otherwise from the connection. */
  clientOf(request: IncomingMessage): string
  /** Logs once that an untrusted proxy was seen. Behind it, all clients have one address. */
  warn(request: IncomingMessage): void
}

/** Proxy addresses that are remembered. */
const KNOWN = 1_000

/** Accepts addresses and CIDR ranges, as in TRUST_PROXY. */
export function createProxies(trust_proxy: readonly string[], log?: Pick<Logger, 'warn'>): Proxies {
  const ranges = trust_proxy.map(rangeOf)
  const known = new Map<string, boolean>()
  let hasWarned = false

  const judge = (address: string): boolean => {
    if (!ipaddr.isValid(address)) return false
    const parsed = ipaddr.process(address)
    return ranges.some(([base, bits]) => base.kind() === parsed.kind() && parsed.match(base as never, bits))
  }
  const isTrusted = (address: string | undefined): boolean => {
    if (ranges.length === 0 || address === undefined) return false
    let trusted = known.get(address)
    if (trusted === undefined) {
      trusted = judge(address)
      if (known.size < KNOWN) known.set(address, trusted)
    }
    return trusted
  }
  return {
    isTrusted,
    warn: ({ headers, socket: { remoteAddress } }) => {
      if (hasWarned || headers['x-forwarded-for'] === undefined || isTrusted(remoteAddress)) return
      hasWarned = true
      log?.warn(
        { address: remoteAddress },
        'X-Forwarded-For is ignored because TRUST_PROXY does not contain the sender',
      )
    },
    clientOf: ({ headers, socket: { remoteAddress } }) => {
      const forwarded = isTrusted(remoteAddress) ? headers['x-forwarded-for'] : undefined
      const last = String(forwarded ?? '')
        .split(',')
        .at(-1)
      return withoutPort(last?.trim() ?? '') || (remoteAddress ?? '')
    },
  }
}

/** `192.0.2.1:1234` and `[2001:db8::1]:1234`, as some proxies write an address, without the port. */
const withoutPort = (address: string): string =>
  address.replace(/^(\d{1,3}(?:\.\d{1,3}){3}):\d{1,5}$|^\[([\d.:a-f]{2,45})\](?::\d{1,5})?$/i, '$1$2')

/**
 * Takes the ports from the header of a proxy, before the framework reads it. With the port, each connection of a client would
 * be another address, and have limits of its own.
 */
export function dropForwardedPorts({ headers }: IncomingMessage): void {
  const forwarded = headers['x-forwarded-for']
  if (forwarded === undefined || !/[\]:]/.test(String(forwarded))) return
  headers['x-forwarded-for'] = String(forwarded)
    .split(',')
    .map((address) => withoutPort(address.trim()))
    .join(', ')
}

function rangeOf(text: string): Range {
  if (text.includes('/')) return ipaddr.parseCIDR(text)
  const address = ipaddr.process(text)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}
