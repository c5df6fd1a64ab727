import qs from 'qs'
import { type TSchema, Type } from 'typebox'
import type { Links } from '../hal.ts'
import { textOf } from './bracket-query.ts'

/** `page` and `limit` of a list's query (V3). Page 0 means page 1. */
export const Paged = Type.Object({
  page: Type.Integer({ minimum: 0, maximum: 1_000_000, default: 1, description: 'Counted from 1; 0 is 1.' }),
  limit: Type.Integer({ minimum: 1, maximum: 250, default: 50 }),
  with: Type.Optional(Type.Unknown()),
})

export interface Page {
  page: number
  limit: number
  offset: number
}

export function pageOf({ page, limit }: { page: number; limit: number }): Page {
  const at = Math.max(1, page)
  return { page: at, limit, offset: (at - 1) * limit }
}

/** The part of a request that links are built from. A Fastify request fits. */
export interface Addressed {
  protocol: string
  host: string
  url: string
}

/** Scheme, host and port of the request (P5). */
export const originOf = ({ protocol, host }: Pick<Addressed, 'protocol' | 'host'>): string =>
  `${protocol}://${host}`

/** The address of a surface, without a trailing slash, as the base of links: `https://demo.example.com/api/v4`. */
export const baseOf =
  ({ prefix }: { prefix: string }) =>
  (request: Pick<Addressed, 'protocol' | 'host'>): string =>
    originOf(request) + prefix

export interface PageLinks extends Links {
  first?: { href: string }
  prev?: { href: string }
  next?: { href: string }
}

/** The last row of the previous page, as `_links.next` carries it: its sort value and id. */
export interface Position {
  value: number
  id: number
}

/**
 * The query of a list with keyset paging. Pages cost the same at any depth for clients that follow `next`. Rows are
 * skipped for clients that only increment `page`.
 */
export const KeysetPaged = Type.Object({
  ...Paged.properties,
  position: Type.Optional(Type.Unknown({ description: 'Where the page begins: taken from `_links.next`.' })),
})

/**
 * The position in a query, if it is valid and belongs to the requested page. A client that increments `page` keeps an
 * old position.
 */
export function positionOf({ page, position }: { page: number; position?: unknown }): Position | null {
  const [, forPage, value, id] = /^(\d{1,7})\.(-?\d{1,16})\.(\d{1,16})$/.exec(textOf(position)) ?? []
  return Number(forPage) === page ? { value: Number(value), id: Number(id) } : null
}

/** A position in a list that can be sorted by texts or by a value that some rows do not have. */
export interface ValuePosition {
  value: number | string | null
  id: number
}

/** Parses a position. A text in it is encoded as base64url, which needs no escaping in an address. */
export function valuePositionOf(query: { page: number; position?: unknown }): ValuePosition | null {
  const [, forPage, mark = '', id] =
    /^(\d{1,7})\.(none|t[\w-]{0,400})\.(\d{1,16})$/.exec(textOf(query.position)) ?? []
  if (mark === '') return positionOf(query)
  if (Number(forPage) !== query.page) return null
  const value = mark === 'none' ? null : Buffer.from(mark.slice(1), 'base64url').toString()
  return value?.includes('\0') ? null : { value, id: Number(id) }
}

const writtenPosition = ({ value, id }: ValuePosition): string => {
  if (value === null) return `none.${id}`
  return typeof value === 'string' ? `t${Buffer.from(value).toString('base64url')}.${id}` : `${value}.${id}`
}

/** The position in a list that is sorted by ids that are texts. */
export function idPositionOf({ page, position }: { page: number; position?: unknown }): string | null {
  const [, forPage, id] = /^(\d{1,7})\.([0-9a-z]{26})$/.exec(textOf(position)) ?? []
  return Number(forPage) === page ? (id as string) : null
}

/** The head of a list with keyset paging and without a total (docs/wire/requests.md#lists). */
export function keysetPage(
  request: Addressed & { query: unknown },
  page: Page,
  next: ValuePosition | string | null,
) {
  const links = pageLinks(request, page, next !== null)
  if (page.page > 1) links.first = pageLinks(request, pageOf({ page: 1, limit: page.limit }), false).self
  if (links.next && next) {
    const row = typeof next === 'string' ? next : writtenPosition(next)
    links.next.href += `&position=${page.page + 1}.${row}`
  }
  return { _page: page.page, _links: links }
}

/** The schema of a list with the head of keysetPage, and with other members of the head. */
export function KeysetList<Name extends string, Item extends TSchema>(
  name: Name,
  item: Item,
  head: Record<string, TSchema> = {},
) {
  return Type.Object({
    ...head,
    _page: Type.Integer(),
    _links: Type.Object({
      self: Href,
      next: Type.Optional(Href),
      first: Type.Optional(Href),
      prev: Type.Optional(Href),
    }),
    _embedded: Type.Object({ [name]: Type.Array(item) } as Record<Name, ReturnType<typeof Type.Array<Item>>>),
  })
}

/**
 * The links of a page: the original query, with explicit `page` and `limit`. `next` only if there is a next page,
 * `prev` only if there is a previous one (V4).
 */
export function pageLinks(
  request: Addressed & { query: unknown },
  { page, limit }: Page,
  hasNext: boolean,
): PageLinks {
  const path = request.url.split('?', 1)[0] as string
  const { position: _, ...asked } = request.query as { position?: unknown }
  // Lists are written as [0], [1], for every notation of the caller.
  const query = qs.stringify({ ...asked, page, limit }, { arrayFormat: 'indices' })
  const self = `${originOf(request)}${path}?${query}`
  const at = (number: number) => ({ href: self.replace(/([?&])page=\d+/, `$1page=${number}`) })
  return {
    self: { href: self },
    ...(page > 1 && { prev: at(page - 1) }),
    ...(hasNext && { next: at(page + 1) }),
  }
}

const Href = Type.Object({ href: Type.String() }, { title: 'Link' })

/** The schema of a list with the head of countedPage. */
export function CountedList<Name extends string, Item extends TSchema>(name: Name, item: Item) {
  return Type.Object({
    _total_items: Type.Integer(),
    _page: Type.Integer(),
    _page_count: Type.Integer(),
    _links: Type.Object({ self: Href, prev: Type.Optional(Href), next: Type.Optional(Href) }),
    _embedded: Type.Object({ [name]: Type.Array(item) } as Record<Name, ReturnType<typeof Type.Array<Item>>>),
  })
}

/** The head of a list with a total: `_total_items`, `_page`, `_page_count` and `_links`. */
export function countedPage(request: Addressed & { query: unknown }, page: Page, total: number) {
  const _page_count = Math.ceil(total / page.limit)
  return {
    _total_items: total,
    _page: page.page,
    _page_count,
    _links: pageLinks(request, page, page.page < _page_count),
  }
}
