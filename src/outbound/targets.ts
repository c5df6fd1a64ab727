import { OutboundError } from './outbound-error.ts'

/** Where a request goes, before anybody asked what address that is. */
export interface Target {
  url: URL
  /** Scheme, host and port: what the limits on sockets count by. */
  endpoint: string
  /** Name or literal address, IPv6 without brackets, a name without its final dot. */
  hostname: string
  port: number
  secure: boolean
}

const URL_LIMIT = 8192

/**
 * Reads a URL as it will be dialled. Throws OutboundError `bad_url` for another scheme than http and https, for
 * credentials, for ports below 1024 but 80 and 443, and for more than 8 KiB (C8).
 */
export function readTarget(text: string): Target {
  const url = text.length <= URL_LIMIT ? URL.parse(text) : null
  if (!url) throw new OutboundError('bad_url', 'This is not a URL.')
  const secure = url.protocol === 'https:'
  if (!secure && url.protocol !== 'http:')
    throw new OutboundError('bad_url', 'Only http and https are called.')
  if (url.username || url.password)
    throw new OutboundError('bad_url', 'A URL with credentials is not called.')
  const port = Number(url.port || (secure ? 443 : 80))
  if (port < 1024 && port !== 80 && port !== 443)
    throw new OutboundError('bad_url', `Port ${port} is not called.`)
  const hostname = url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
  if (/(^|\.)(\.|$)/.test(hostname)) throw new OutboundError('bad_url', 'The URL names no host.')
  return { url, endpoint: url.origin, hostname, port, secure }
}

/** The endpoint of a URL that may be none: then the text itself, for it will be refused before it meets a socket. */
export function endpointOf(url: string): string {
  return URL.parse(url)?.origin ?? url
}
