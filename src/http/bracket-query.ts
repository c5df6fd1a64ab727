import qs from 'qs'

/** A query as it was written: `filter[type][]=a&page=2` is `{ filter: { type: ['a'] }, page: '2' }`. */
export type Query = { [key: string]: QueryValue }
export type QueryValue = string | QueryValue[] | Query

const MAX_PAIRS = 256
const MAX_DEPTH = 5

/** Stands for a query that is too deep or too long: the router, which reads it, is no place to refuse a request. */
export const UNREADABLE: Query = Object.freeze({})

/** Reads bracket syntax. A large index is a label and no place in an array, so `a[999999999]=1` costs nothing. */
export function parseQuery(text: string): Query {
  if (text === '') return {}
  const pairs = text.split('&', MAX_PAIRS + 1)
  if (pairs.length > MAX_PAIRS) return UNREADABLE
  try {
    return qs.parse(withoutRepetition(pairs).join('&'), {
      depth: MAX_DEPTH,
      strictDepth: true,
      parameterLimit: MAX_PAIRS,
      arrayLimit: MAX_PAIRS,
      allowPrototypes: false,
      plainObjects: true,
    }) as Query
  } catch {
    return UNREADABLE
  }
}

/**
 * A pair that stands there twice, word for word, is one; but not `[]=1`, which appends. A client that follows a page's
 * link and sends its own filter and order with it says everything twice.
 */
function withoutRepetition(pairs: string[]): string[] {
  const seen = new Set<string>()
  return pairs.filter((pair) => /\[\]|%5B%5D/i.test(pair) || (!seen.has(pair) && seen.add(pair)))
}

/** A value that is one text; empty when it is none. What a query holds inside brackets has no text, and none can be asked of it. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The items of a list in any of its spellings: `a`, `a,b`, `[]=a`, `[0]=a` (V2). */
export function listOf(value: QueryValue | undefined): string[] {
  if (value === undefined) return []
  if (typeof value === 'string')
    return value
      .split(',')
      .map((item) => item.trim())
      .filter(Boolean)
  return Object.values(value).flatMap(listOf)
}

/** The value of `filter[name]`; undefined where `filter` is not written in brackets. */
export const filterOf = ({ filter }: { filter?: QueryValue }, name: string): QueryValue | undefined =>
  typeof filter === 'object' && !Array.isArray(filter) ? filter[name] : undefined

/** The names in `with` that the resource knows; others are ignored. */
export function withNames<Name extends string>(
  value: QueryValue | undefined,
  known: readonly Name[],
): Set<Name> {
  const asked = listOf(value)
  return new Set(known.filter((name) => asked.includes(name)))
}
