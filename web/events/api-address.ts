import type { Search } from '../parts/filters/filter.ts'
import { delimiterIn } from '../parts/texts/numbers.ts'

/** Keeps brackets readable; URLs may contain them. */
const readable = (text: string) =>
  encodeURIComponent(text)
    .replaceAll('%5B', '[')
    .replaceAll('%5D', ']')
    .replaceAll('%2C', ',')
    .replaceAll("'", '%27')

/** Returns the API URL of a list, at the account's own address. */
export function apiAddress(account_url: string, path: string, search: Search): string {
  const words = Object.entries(search).map(([name, value]) => `${readable(name)}=${readable(value)}`)
  return `${account_url}/api/v4${path}${words.length > 0 ? `?${words.join('&')}` : ''}`
}

/** Returns a curl command. `-g` turns off globbing of brackets. */
export const curlOf = (address: string) => `curl -g -H "Authorization: Bearer $TOKEN" '${address}'`

/** Returns the path of an export of all matching events. CSV is for the reader's spreadsheet, in their language. */
export function exportPath(
  path: string,
  search: Search,
  format: 'csv' | 'ndjson',
  { locale, language }: { locale: string; language: string },
): string {
  const table = { delimiter: delimiterIn(locale), headings: language }
  return `/web/v4${path}?${new URLSearchParams({ ...search, format, ...(format === 'csv' && table) })}`
}
