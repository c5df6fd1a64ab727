import { invalid } from '../errors.ts'

/** A name in ASCII, an IPv4 address, or an IPv6 address in brackets. */
const HOST = /^(?:[a-z0-9-]+(?:\.[a-z0-9-]+)*|\[[0-9a-f:]+\])$/

/**
 * Refuses a URL that two programs could read differently. It must have the form of the URL Standard, so that a byte
 * comparison and a browser agree on it.
 */
export function checkUrl(member: string, text: string): void {
  const refuse = (detail: string) => invalid(member, 'InvalidFormat', detail)
  const url = URL.parse(text)
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    throw refuse('This value is not a valid URL.')
  if (!HOST.test(url.hostname)) throw refuse('The URL must have a valid host.')
  if (url.username || url.password) throw refuse('The URL must not have a user name or password.')
  if (text.includes('#')) throw refuse('The URL must not have a fragment.')
  if (text !== url.href && `${text}/` !== url.href)
    throw refuse(`The URL must be in its normal form, which is ${url.href}`)
}
