/** The host and path of an address: short enough for a title, and without the secrets of a query. */
export function shortAddress(destination: string): string {
  const url = URL.parse(destination)
  if (!url) return destination
  return url.host + (url.pathname === '/' ? '' : url.pathname)
}
