import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Address ranges that the operator opened (`OUTBOUND_ALLOW`). */
export type Ranges = readonly [ipaddr.IPv4 | ipaddr.IPv6, number][]

/** `public`: global unicast. `allowed`: opened by the operator. `forbidden`: everything else, and what is no address. */
export type Judgement = 'public' | 'allowed' | 'forbidden'

/** Reads CIDRs such as `10.0.0.0/8` or `fd00::/8`. Throws an Error that names the first one that is none. */
export function parseRanges(cidrs: string[]): Ranges {
  return cidrs.map((cidr) => {
    const [address = '', bits] = cidr.split('/')
    if (!isIP(address) || !/^\d{1,3}$/.test(bits ?? '') || !ipaddr.isValidCIDR(cidr))
      throw new Error(`${cidr} is not an address range such as 10.0.0.0/8.`)
    return ipaddr.parseCIDR(cidr)
  })
}

/**
 * Whether an address may be called. An address that wraps another one (IPv4-mapped, NAT64, 6to4, Teredo) is judged
 * by its own range, which is never global unicast: a range of the wrapped address does not open it.
 */
export function judgeAddress(address: string, allow: Ranges): Judgement {
  // The parser of the library takes more spellings than there are addresses: `010.1` is no address here.
  if (!isIP(address) || address.includes('%')) return 'forbidden'
  const parsed = ipaddr.parse(address)
  if (allow.some(([range, bits]) => range.kind() === parsed.kind() && parsed.match(range, bits)))
    return 'allowed'
  return isGlobalUnicast(parsed) ? 'public' : 'forbidden'
}

/** Of IPv6 only 2000::/3 is handed out as global unicast; the library calls every range it does not know unicast. */
const HANDED_OUT: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3]

function isGlobalUnicast(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.range() !== 'unicast') return false
  return address.kind() === 'ipv4' || address.match(HANDED_OUT)
}
