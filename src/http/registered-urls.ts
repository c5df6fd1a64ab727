import { invalid } from '../errors.ts'

/** A name in ASCII, an IPv4 address, or an IPv6 address in brackets. */
const HOST = /^(?:[a-z0-9-]+(?:\.[a-z0-9-]+)*|\[[0-9a-f:]+\])$/

/**
 * Refuses an address that two programs could read as two places. It must be written as the URL Standard would write
 * it: then the text that is compared byte for byte and the place that a browser goes to are the same.
 */
export function checkUrl(member: string, text: string): void {
  const refuse = (detail: string) => invalid(member, 'InvalidFormat', detail)
  const url = URL.parse(text)
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    throw refuse('This value is not a valid URL.')
  if (!HOST.test(url.hostname)) throw refuse('The URL does not name a host.')
  if (url.username || url.password) throw refuse('The URL must not hold a user name or a password.')
  if (text.includes('#')) throw refuse('The URL must not have a fragment.')
  if (text !== url.href && `${text}/` !== url.href)
    throw refuse(`The URL is not in its normal form, which is ${url.href}`)
}
