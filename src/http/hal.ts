import { type Static, type TSchema, Type } from 'typebox'

/** `_links.self` of every resource. */
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
