import qs from 'qs'
import { type TSchema, Type } from 'typebox'
import { textOf } from './bracket-query.ts'
import type { Links } from './hal.ts'

/** `page` and `limit` of a list's query (V3). Page 0 counts as 1. */
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

/** The part of a request that an answer's links are made of; a Fastify request is one. */
export interface Addressed {
  protocol: string
  host: string
  url: string
}

/** Scheme, host and port under which the caller reached the server (P5). */
export const originOf = ({ protocol, host }: Pick<Addressed, 'protocol' | 'host'>): string =>
  `${protocol}://${host}`

/** The address of a surface, without a slash at its end, for the links of resources: `https://demo.example.com/api/v4`. */
export const baseOf =
  ({ prefix }: { prefix: string }) =>
  (request: Pick<Addressed, 'protocol' | 'host'>): string =>
    originOf(request) + prefix

export interface PageLinks extends Links {
  first?: { href: string }
  prev?: { href: string }
  next?: { href: string }
}

/** The row after which a page begins, as `_links.next` carries it: the page it is for, the value of its order, its id. */
export interface Position {
  value: number
  id: number
}

/** A list that is walked: a page costs the same at any depth for who follows `next`, and is counted for who does not. */
export const KeysetPaged = Type.Object({
  ...Paged.properties,
  position: Type.Optional(Type.Unknown({ description: 'Where the page begins, as `_links.next` says it.' })),
})

/** The position in a query, when it is one and is that of the page asked for: who counts `page` up himself leaves it behind. */
export function positionOf({ page, position }: { page: number; position?: unknown }): Position | null {
  const [, forPage, value, id] = /^(\d{1,7})\.(-?\d{1,16})\.(\d{1,16})$/.exec(textOf(position)) ?? []
  return Number(forPage) === page ? { value: Number(value), id: Number(id) } : null
}

/** The same where the order may be that of texts, or of what some have nothing of. */
export interface ValuePosition {
  value: number | string | null
  id: number
}

/** A text stands in a position as what it is written in, without anything that an address has a meaning for. */
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

/** The same of a list whose order is that of its ids, which are texts. */
export function idPositionOf({ page, position }: { page: number; position?: unknown }): string | null {
  const [, forPage, id] = /^(\d{1,7})\.([0-9a-z]{26})$/.exec(textOf(position)) ?? []
  return Number(forPage) === page ? (id as string) : null
}

/** The head of a list that does not count what it lists: `_page` and `_links`. */
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

/** A list as keysetPage begins it. */
export function KeysetList<Name extends string, Item extends TSchema>(name: Name, item: Item) {
  return Type.Object({
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
 * The links of one page: the query as it came, with `page` and `limit` written out. `next` only when there is a next
 * page, `prev` only when there is one before (V4).
 */
export function pageLinks(
  request: Addressed & { query: unknown },
  { page, limit }: Page,
  hasNext: boolean,
): PageLinks {
  const path = request.url.split('?', 1)[0] as string
  const at = (number: number) => {
    const { position: _, ...asked } = request.query as { position?: unknown }
    const query = { ...asked, page: number, limit }
    // Arrays come out as [0], [1]: one spelling of a list, whatever the caller's was.
    return { href: `${originOf(request)}${path}?${qs.stringify(query, { arrayFormat: 'indices' })}` }
  }
  return {
    self: at(page),
    ...(page > 1 && { prev: at(page - 1) }),
    ...(hasNext && { next: at(page + 1) }),
  }
}

const Href = Type.Object({ href: Type.String() }, { title: 'Link' })

/** A list that knows its total, as countedPage begins it. */
export function CountedList<Name extends string, Item extends TSchema>(name: Name, item: Item) {
  return Type.Object({
    _total_items: Type.Integer(),
    _page: Type.Integer(),
    _page_count: Type.Integer(),
    _links: Type.Object({ self: Href, prev: Type.Optional(Href), next: Type.Optional(Href) }),
    _embedded: Type.Object({ [name]: Type.Array(item) } as Record<Name, ReturnType<typeof Type.Array<Item>>>),
  })
}

/** The head of a list that knows its total: `_total_items`, `_page`, `_page_count` and `_links`. */
export function countedPage(request: Addressed & { query: unknown }, page: Page, total: number) {
  const _page_count = Math.ceil(total / page.limit)
  return {
    _total_items: total,
    _page: page.page,
    _page_count,
    _links: pageLinks(request, page, page.page < _page_count),
  }
}
