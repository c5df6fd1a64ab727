import { type TObject, type TProperties, Type } from 'typebox'
import { invalid } from '../../errors.ts'
import { batchesIn, Items } from '../bodies.ts'
import { listIn, numberIn } from '../members.ts'
import { type Batch, MAX_ITEMS } from '../requests.ts'

/** Requests and responses of the second API (docs/wire/legacy.md#the-second-api). */

export const SET = ['add', 'update'] as const

/** `{"add":[…],"update":[…]}` */
export const Batches = Type.Object({ add: Type.Optional(Items), update: Type.Optional(Items) })

/** `{"add":[…],"update":[…],"delete":[1,2]}` */
export const BatchesWithDelete = Type.Object({
  ...Batches.properties,
  delete: Type.Optional(Type.Unknown({ description: 'Ids.' })),
})

/** The items of `add` and `update`, and the ids in `delete`, below the path `at`. Throws as `batchesIn`. */
export function withDeleted(
  body: unknown,
  path: string,
  at = '',
): { add: Batch; update: Batch; gone: number[] } {
  const parts = body as Record<string, object[]>
  const gone = listIn(parts.delete).map((entry, i) => {
    const id = numberIn(typeof entry === 'object' ? Object(entry).id : entry)
    if (Number.isSafeInteger(id) && (id as number) > 0) return id as number
    throw invalid(`${at}delete.${i}`, 'InvalidType', 'This value should be an id.')
  })
  if (gone.length > MAX_ITEMS)
    throw invalid(`${at}delete`, 'TooMany', `A request deletes at most ${MAX_ITEMS} ${path}.`)
  const none: Batch = { at: '', items: [] }
  if (gone.length > 0 && SET.every((action) => (parts[action] ?? []).length === 0))
    return { add: none, update: none, gone }
  return { ...batchesIn(parts, path, SET, at), gone }
}

export const Links = Type.Object(
  {
    self: Type.Object({
      href: Type.String({ description: 'Relative to the host of the account.' }),
      method: Type.String(),
    }),
  },
  { title: 'V2Links' },
)

/** A resource, or an empty object if there is none. */
export const OrNone = <Members extends TProperties>(members: Members, description?: string) =>
  Type.Object(
    { ...Type.Partial(Type.Object(members)).properties, _links: Type.Optional(Links) },
    description === undefined ? {} : { description },
  )

/** A response: everything is in `_embedded.items`. */
export const itemsOf = (item: TObject, description?: string) =>
  Type.Object({ _links: Links, _embedded: Type.Object({ items: Type.Array(item) }, { description }) })

/** An added or changed item. Only the changed one has `updated_at`. */
export const Written = Type.Object({
  id: Type.Integer(),
  updated_at: Type.Optional(Type.Integer({ description: 'Of a changed item: Unix seconds.' })),
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
