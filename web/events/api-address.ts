import type { Search } from '../parts/filter.ts'

/** In an address brackets may stand as they are, which one can read. */
const readable = (text: string) =>
  encodeURIComponent(text)
    .replaceAll('%5B', '[')
    .replaceAll('%5D', ']')
    .replaceAll('%2C', ',')
    .replaceAll("'", '%27')

/** The call of the API that gives a list: the same query, at the account's own address. */
export function apiAddress(account_url: string, path: string, search: Search): string {
  const words = Object.entries(search).map(([name, value]) => `${readable(name)}=${readable(value)}`)
  return `${account_url}/api/v4${path}${words.length > 0 ? `?${words.join('&')}` : ''}`
}

/** The same for a shell; `-g` leaves the brackets alone. */
export const curlOf = (address: string) => `curl -g -H "Authorization: Bearer $TOKEN" '${address}'`

/** A file of everything that a filter finds. */
export function exportPath(path: string, search: Search, format: 'csv' | 'ndjson'): string {
  return `/web/v4${path}?${new URLSearchParams({ ...search, format })}`
}
