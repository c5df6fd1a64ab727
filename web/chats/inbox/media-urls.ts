/**
 * The path of what lies in our own drive, which a page may load (`img-src 'self'`); undefined for what others keep. The
 * server writes such links for the address that it was asked under.
 */
export function ownPath(url: string | null): string | undefined {
  const parsed = url === null ? null : URL.parse(url, window.location.origin)
  const isOurs = parsed?.origin === window.location.origin && parsed.pathname.startsWith('/drive/download/')
  return isOurs ? parsed.pathname + parsed.search : undefined
}

/** The host of an address that a browser may open; undefined for any other text. */
export function hostOf(url: string | null): string | undefined {
  const parsed = url === null ? null : URL.parse(url)
  return parsed && /^https?:$/.test(parsed.protocol) ? parsed.host : undefined
}
