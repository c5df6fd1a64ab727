import { type Static, type TSchema, Type } from 'typebox'

/** `_links.self` of every resource (docs/wire/requests.md#hal). */
export const Self = Type.Object({ self: Type.Object({ href: Type.String() }) }, { title: 'SelfLinks' })

/** A list that always fits on one page: `_embedded` with the collection's own name. */
export function ListOf<Name extends string, Item extends TSchema>(name: Name, item: Item) {
  return Type.Object({
    _total_items: Type.Integer(),
    _links: Self,
    _embedded: Type.Object({ [name]: Type.Array(item) } as Record<Name, ReturnType<typeof Type.Array<Item>>>),
  })
}

export type Links = Static<typeof Self>

export const self = (href: string): Links => ({ self: { href } })

/** A list as ListOf describes it. */
export const wholeList = <Name extends string, Item>(name: Name, items: Item[], href: string) => ({
  _total_items: items.length,
  _links: self(href),
  _embedded: { [name]: items } as Record<Name, Item[]>,
})

/** The items of a response to a batch, each with the `request_id` of its draft or, without one, its place. */
export const withRequestIds = <Item extends object>(
  items: Item[],
  drafts: readonly { request_id?: string | number | undefined }[],
) => items.map((item, i) => ({ ...item, request_id: drafts[i]?.request_id ?? String(i) }))
