import { type TSchema, Type } from 'typebox'

const PUBLISHED = Symbol('published')

/**
 * Gives a schema another form for the API description. The server validates and serialises with `schema` itself, so
 * `published` can say more without a cost per request. It must accept the same values.
 */
export function publishedAs<T extends TSchema>(schema: T, published: TSchema): T {
  return Object.assign(schema, { [PUBLISHED]: published })
}

/** The form of a schema in the API description: the schema itself, unless `publishedAs` gave it another one. */
export function publishedForm<T extends object>(schema: T): T {
  return ((schema as { [PUBLISHED]?: T })[PUBLISHED] ?? schema) as T
}

/** A text that is one of `choices`. It is serialised as any other text. */
export const OneOf = <T extends string>(choices: readonly T[], options: { description?: string } = {}) =>
  publishedAs(Type.String(), Type.Enum([...choices], options))

/** A property that clients expect and the server does not use. openapi-fetch hides a property whose type is null alone. */
export const AlwaysNull = publishedAs(
  Type.Null(),
  Type.Unsafe({ type: ['integer', 'null'], description: 'Always null.' }),
)
