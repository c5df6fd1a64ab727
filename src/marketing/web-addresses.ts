/** The maximum length of a URL for browsers and notes. */
const MAX_LENGTH = 2_048

/**
 * A web address that a visitor can be redirected to or comes from: http or https, without user name and password,
 * normalised as in the URL Standard. Undefined for anything else, and above the maximum length.
 */
export function webAddress(text: string): URL | undefined {
  const url = text.length <= MAX_LENGTH ? URL.parse(text) : null
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return undefined
  return url.username || url.password || url.href.length > MAX_LENGTH ? undefined : url
}
