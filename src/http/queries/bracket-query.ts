import qs from 'qs'

/** A parsed query: `filter[type][]=a&page=2` is `{ filter: { type: ['a'] }, page: '2' }`. */
export type Query = { [key: string]: QueryValue }
export type QueryValue = string | QueryValue[] | Query

const MAX_PAIRS = 256
const MAX_DEPTH = 5

/** A query that is too deep or too long. The router parses queries and cannot refuse a request. */
export const UNREADABLE: Query = Object.freeze({})

/** Parses bracket syntax. A large index is a label, not an array position, so `a[999999999]=1` is cheap. */
export function parseQuery(text: string): Query {
  if (text === '') return {}
  const pairs = text.split('&', MAX_PAIRS + 1)
  if (pairs.length > MAX_PAIRS) return UNREADABLE
  try {
    const query = qs.parse(withoutRepetition(pairs).join('&'), {
      depth: MAX_DEPTH,
      strictDepth: true,
      parameterLimit: MAX_PAIRS,
      arrayLimit: MAX_PAIRS,
      allowPrototypes: false,
      plainObjects: true,
    }) as Query
    return withSingleValues(query)
  } catch {
    return UNREADABLE
  }
}

/** The place of a page, with the names of v4 and of the older APIs. */
const PLACE = ['page', 'limit', 'position', 'limit_rows', 'limit_offset']

/**
 * Keeps the last value of a repeated parameter that has one, as PHP does: clients add their own `page` and `limit` to a
 * page link. A place without a value is absent.
 */
function withSingleValues(query: Query): Query {
  for (const name of [...PLACE, 'query']) {
    const value = query[name]
    if (Array.isArray(value)) query[name] = textOf(value.at(-1))
  }
  for (const name of PLACE) if (query[name] === '') delete query[name]
  return query
}

/**
 * Removes repeated pairs, except `[]=1`, which appends. A client that follows a page link and adds its own filter and
 * order sends every pair twice.
 */
function withoutRepetition(pairs: string[]): string[] {
  const seen = new Set<string>()
  return pairs.filter((pair) => /\[\]|%5B%5D/i.test(pair) || (!seen.has(pair) && seen.add(pair)))
}

/** The value if it is a text, otherwise ''. Nested values have no text and cannot convert to one. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The named parts of a value: `filter[name]`. A text or a list has none. */
export const partsOf = (value: QueryValue | undefined): Query =>
  typeof value === 'object' && !Array.isArray(value) ? value : {}

/** The items of a list in any notation: `a`, `a,b`, `[]=a`, `[0]=a` (docs/wire/requests.md#filters). */
export function listOf(value: QueryValue | undefined): string[] {
  if (value === undefined) return []
  if (typeof value === 'string')
    return value
      .split(',')
      .map((item) => item.trim())
      .filter(Boolean)
  return Object.values(value).flatMap(listOf)
}

/** The value of `filter[name]`; undefined if `filter` has no brackets. */
export const filterOf = ({ filter }: { filter?: QueryValue }, name: string): QueryValue | undefined =>
  typeof filter === 'object' && !Array.isArray(filter) ? filter[name] : undefined

/** The names in `with` that the resource supports. Others are ignored. */
export function withNames<Name extends string>(
  value: QueryValue | undefined,
  known: readonly Name[],
): Set<Name> {
  const names = listOf(value)
  return new Set(known.filter((name) => names.includes(name)))
}
