import { type TObject, type TProperties, Type } from 'typebox'
import { Items } from '../bodies.ts'

/** Requests and responses of the second API (docs/wire/legacy.md#the-second-api). */

export const SET = ['add', 'update'] as const

/** `{"add":[…],"update":[…]}` */
export const Batches = Type.Object({ add: Type.Optional(Items), update: Type.Optional(Items) })

export const Links = Type.Object({ self: Type.Object({ href: Type.String(), method: Type.String() }) })

/** A resource, or an empty object if there is none. */
export const OrNone = <Members extends TProperties>(members: Members) =>
  Type.Object({ ...Type.Partial(Type.Object(members)).properties, _links: Type.Optional(Links) })

/** A response: everything is in `_embedded.items`. */
export const itemsOf = (item: TObject, description?: string) =>
  Type.Object({ _links: Links, _embedded: Type.Object({ items: Type.Array(item) }, { description }) })

/** An added or changed item. Only the changed one has `updated_at`. */
export const Written = Type.Object({
  id: Type.Integer(),
  updated_at: Type.Optional(Type.Integer()),
  request_id: Type.Optional(Type.Union([Type.String(), Type.Integer()])),
  _links: Links,
})

const PREFIX = '/api/v2'

/** Links are relative, and name a method. */
export const linksTo = (path: string, method: 'get' | 'post' = 'get') => ({
  self: { href: `${PREFIX}/${path}`, method },
})

/** Links to resources by their ids. */
export const linksById = (path: string, ...ids: readonly number[]) => linksTo(`${path}?id=${ids.join(',')}`)

/** The items of a response to a request for `path`. */
export const answer = <Item>(path: string, method: 'get' | 'post', items: Item[]) => ({
  _links: linksTo(path, method),
  _embedded: { items },
})
