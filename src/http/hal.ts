import { type Static, type TSchema, Type } from 'typebox'

/** `_links.self` of every resource. */
export const Self = Type.Object({ self: Type.Object({ href: Type.String() }) })

/** A list as v4 answers it: `_embedded` under the collection's own name. */
export function ListOf<Name extends string, Item extends TSchema>(name: Name, item: Item) {
  return Type.Object({
    _total_items: Type.Optional(Type.Integer()),
    _page: Type.Optional(Type.Integer()),
    _page_count: Type.Optional(Type.Integer()),
    _links: Type.Object({
      self: Type.Object({ href: Type.String() }),
      first: Type.Optional(Type.Object({ href: Type.String() })),
      prev: Type.Optional(Type.Object({ href: Type.String() })),
      next: Type.Optional(Type.Object({ href: Type.String() })),
      last: Type.Optional(Type.Object({ href: Type.String() })),
    }),
    _embedded: Type.Object({ [name]: Type.Array(item) } as Record<Name, ReturnType<typeof Type.Array<Item>>>),
  })
}

export type Links = Static<typeof Self>

export const self = (href: string): Links => ({ self: { href } })
