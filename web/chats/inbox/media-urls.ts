/**
 * Returns the path of a file in our own drive, which `img-src 'self'` allows; undefined for other hosts. The
 * server builds such URLs for the host of the request.
 */
export function ownPath(url: string | null): string | undefined {
  const parsed = url === null ? null : URL.parse(url, window.location.origin)
  const isOurs = parsed?.origin === window.location.origin && parsed.pathname.startsWith('/drive/download/')
  return isOurs ? parsed.pathname + parsed.search : undefined
}

/** Returns the host of an http(s) URL; undefined for any other text. */
export function hostOf(url: string | null): string | undefined {
  const parsed = url === null ? null : URL.parse(url)
  return parsed && /^https?:$/.test(parsed.protocol) ? parsed.host : undefined
}
