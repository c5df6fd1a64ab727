import type { JsonSchema } from '../operation.ts'

/** A parameter of a query as OpenAPI describes it. */
export interface QueryParameter {
  name: string
  in: 'query'
  description: string
  required?: boolean
  style?: 'form'
  explode?: boolean
  schema: JsonSchema
}

/*
 * Queries in bracket notation. The `deepObject` style of OpenAPI has one level and no arrays, so every name with brackets
 * is a parameter of its own. Lists are separated by commas, which is one of the notations that the server reads.
 */

const listed = (name: string, items: JsonSchema, description: string): QueryParameter => ({
  name,
  in: 'query',
  description,
  style: 'form',
  explode: false,
  schema: { type: 'array', items },
})
const single = (name: string, schema: JsonSchema, description: string): QueryParameter => ({
  name,
  in: 'query',
  description,
  schema,
})

/** Names of what the response also contains. */
export const withAny = (...names: readonly string[]): QueryParameter[] => [
  listed('with', { type: 'string', enum: names }, 'Additional parts of the response.'),
]

/** Any of these ids. */
export const ids = (...names: string[]): QueryParameter[] =>
  names.map((name) => listed(`filter[${name}]`, { type: 'integer' }, 'Any of these.'))

/** Any of these words. */
export const choices = (name: string, values: readonly string[]): QueryParameter[] => [
  listed(`filter[${name}]`, { type: 'string', enum: values }, 'Any of these.'),
]

/** Any of these texts. */
export const anyText = (name: string, description = 'Any of these.'): QueryParameter[] => [
  listed(`filter[${name}]`, { type: 'string' }, description),
]

/** Exactly this text. */
export const texts = (...names: string[]): QueryParameter[] =>
  names.map((name) => single(`filter[${name}]`, { type: 'string' }, 'Exactly this text.'))

/** One value of a type. */
export const one = (name: string, schema: JsonSchema, description: string): QueryParameter[] => [
  single(name, schema, description),
]

/** Several values of a type. */
export const several = (name: string, schema: JsonSchema, description: string): QueryParameter[] => [
  { ...single(name, schema, description), style: 'form', explode: false },
]

/** From and to, both ends included. */
export const spans = (...names: string[]): QueryParameter[] =>
  names.flatMap((name) => [
    single(
      `filter[${name}][from]`,
      { type: 'integer' },
      'This value and higher ones. Times are Unix seconds.',
    ),
    single(`filter[${name}][to]`, { type: 'integer' }, 'This value and lower ones. Times are Unix seconds.'),
  ])

/** The column to sort by. If several are named, the first one counts. */
export const orders = (...names: string[]): QueryParameter[] =>
  names.map((name) =>
    single(
      `order[${name}]`,
      { type: 'string', enum: ['asc', 'desc'] },
      'Sorts by this member. If several are named, the first one counts.',
    ),
  )

/** The filter of rows by the integration that created them. */
export const createdByIntegration = anyText(
  'integration',
  'Created by any of these integrations: their ids, or handles as `events/integrations` lists them.',
)
