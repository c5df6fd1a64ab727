import { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import { OutboundError } from './outbound-error.ts'

/** Answers every address of a name. Throws when it has none. Tests put their own in its place. */
export type Resolve = (hostname: string) => Promise<string[]>

/** The second try waits twice as long: 1.5 s, so that when one family gets no answer the other one is still used. */
export const PATIENCE = { timeout: 500, tries: 2 }

/**
 * Asks DNS for the addresses of a name, IPv4 first, within 2 s. `localhost` is the loopback address, as RFC 6761 wants.
 *
 * The operating system's resolver (getaddrinfo) is not used: it holds one of few threads until it is done, and a
 * name whose servers never answer would hold up every other name.
 */
export function createResolve(resolver = new Resolver(PATIENCE)): Resolve {
  return async (hostname) => {
    if (/(^|\.)localhost$/i.test(hostname)) return ['127.0.0.1', '::1']
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
    const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    const [first] = answers
    if (found.length === 0 && first.status === 'rejected') throw first.reason
    return found
  }
}

/** The addresses of a host, which may be one itself. Throws OutboundError `dns` when there are none. */
export async function addressesOf(hostname: string, resolve: Resolve): Promise<string[]> {
  if (isIP(hostname)) return [hostname]
  try {
    const addresses = await resolve(hostname)
    if (addresses.length > 0) return addresses
  } catch (error) {
    throw new OutboundError('dns', `The name ${hostname} does not resolve.`, error)
  }
  throw new OutboundError('dns', `The name ${hostname} has no address.`)
}
