import type { JsonSchema } from './served-routes.ts'

/** A parameter of a query as OpenAPI writes it. */
export interface QueryParameter {
  name: string
  in: 'query'
  description?: string
  required?: boolean
  style?: 'form'
  explode?: boolean
  schema: JsonSchema
}

/*
 * Queries in brackets: OpenAPI's deepObject is one level deep and knows no arrays, so each bracket is written out as a
 * name of its own. Lists are written with commas, which is one of the spellings that the server reads.
 */

const listed = (name: string, items: JsonSchema, description?: string): QueryParameter => ({
  name,
  in: 'query',
  ...(description !== undefined && { description }),
  style: 'form',
  explode: false,
  schema: { type: 'array', items },
})
const single = (name: string, schema: JsonSchema, description?: string): QueryParameter => ({
  name,
  in: 'query',
  ...(description !== undefined && { description }),
  schema,
})

/** Names of what is embedded or added. */
export const withAny = (...names: readonly string[]): QueryParameter[] => [
  listed('with', { type: 'string', enum: names }, 'What the answer holds besides.'),
]

/** Any of these ids. */
export const ids = (...names: string[]): QueryParameter[] =>
  names.map((name) => listed(`filter[${name}]`, { type: 'integer' }))

/** Any of these words. */
export const choices = (name: string, values: readonly string[]): QueryParameter[] => [
  listed(`filter[${name}]`, { type: 'string', enum: values }),
]

/** Exactly this text. */
export const texts = (...names: string[]): QueryParameter[] =>
  names.map((name) => single(`filter[${name}]`, { type: 'string' }))

/** One value of a type. */
export const one = (name: string, schema: JsonSchema, description?: string): QueryParameter[] => [
  single(name, schema, description),
]

/** From and to, both ends included. */
export const spans = (...names: string[]): QueryParameter[] =>
  names.flatMap((name) => ['from', 'to'].map((end) => single(`filter[${name}][${end}]`, { type: 'integer' })))

/** By one of these columns; the first that is named counts. */
export const orders = (...names: string[]): QueryParameter[] =>
  names.map((name) => single(`order[${name}]`, { type: 'string', enum: ['asc', 'desc'] }))

/** A schema that takes anything describes no parameter, unless it says in words what it takes. */
const isTold = (schema: JsonSchema): boolean => Object.keys(schema).length > 0

/** The parameters that a route's own schema names, and those that its handler reads out of the brackets. */
export function queryParameters(
  schema: JsonSchema | undefined,
  read: readonly QueryParameter[],
): QueryParameter[] {
  const named = Object.entries((schema?.properties ?? {}) as Record<string, JsonSchema>)
  const required = (schema?.required ?? []) as string[]
  const own = named
    .filter(([name, one]) => isTold(one) && read.every((other) => other.name !== name))
    .map(([name, { description, ...one }]): QueryParameter => {
      const parameter = single(name, isEmpty(one) ? { type: 'string' } : one, description as string)
      // Where a default is given, the validator fills it in before it asks what is missing.
      return required.includes(name) && !('default' in one) ? { ...parameter, required: true } : parameter
    })
  return [...own, ...read]
}

const isEmpty = (schema: JsonSchema): boolean => Object.keys(schema).length === 0
