/** What a browser takes in an address, and what a note of it can show. */
const MAX_LENGTH = 2_048

/**
 * An address of the web that a stranger's browser may be sent to or has come from: http or https, without a name and a
 * password, as the URL Standard writes it. Undefined for anything else, and for what is too long.
 */
export function webAddress(text: string): URL | undefined {
  const url = text.length <= MAX_LENGTH ? URL.parse(text) : null
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return undefined
  return url.username || url.password || url.href.length > MAX_LENGTH ? undefined : url
}
