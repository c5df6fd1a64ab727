import type { IncomingMessage } from 'node:http'
import ipaddr from 'ipaddr.js'
import type { Logger } from 'pino'

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number]

/** The proxies of TRUST_PROXY, and who stands behind them. */
export interface Proxies {
  /** Whether a connection from the address is one of a trusted proxy. */
  isTrusted(address: string | undefined): boolean
  /** The address of the client: what a trusted proxy says, else that of the connection. */
  clientOf(request: IncomingMessage): string
  /** Tells the log, once, of a proxy that is not trusted: behind it all clients have one address. */
  warn(request: IncomingMessage): void
}

/** Addresses of proxies that are remembered; there are few. */
const KNOWN = 1_000

/** Takes addresses and CIDR ranges, as TRUST_PROXY holds them. */
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
        'X-Forwarded-For is ignored: it comes from an address that TRUST_PROXY does not name',
      )
    },
    clientOf: ({ headers, socket: { remoteAddress } }) => {
      const forwarded = isTrusted(remoteAddress) ? headers['x-forwarded-for'] : undefined
      return (
        String(forwarded ?? '')
          .split(',')
          .at(-1)
          ?.trim() ||
        (remoteAddress ?? '')
      )
    },
  }
}

function rangeOf(text: string): Range {
  if (text.includes('/')) return ipaddr.parseCIDR(text)
  const address = ipaddr.process(text)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}
