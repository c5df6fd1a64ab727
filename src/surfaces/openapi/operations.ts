import type { FastifySchema } from 'fastify'
import type { JsonSchema, OtherResponse } from '../../http/operation.ts'
import type { Components } from './components.ts'
import type { DescribedSurface } from './described-surfaces.ts'
import type { ServedRoute } from './served-routes.ts'
import { describeMembers } from './usual-members.ts'

type Schemas = Record<string, JsonSchema>

/** `/v1.0/files/*` ends in a name. */
export const urlOf = ({ url }: ServedRoute): string => url.replace(/\*$/, ':name')

/** The schema of a route in the form that @fastify/swagger reads: each body is a reference to a named component. */
export function operationOf(
  components: Components,
  surface: DescribedSurface,
  route: ServedRoute,
): FastifySchema {
  const { operationId, summary, description, tags, security, params, querystring } = route.schema
  // Only routes that are not published have no operationId. Their bodies stay where they are.
  const name = operationId?.replaceAll(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase())
  const body = bodyOf(components, route.schema, name && `${name}Body`)
  return {
    ...(operationId !== undefined && { operationId }),
    ...(summary !== undefined && { summary }),
    ...(description !== undefined && { description }),
    ...(tags && { tags }),
    security: security ?? surface.security,
    params: pathParameters(urlOf(route), params as JsonSchema | undefined),
    querystring: queryParameters(route.schema, querystring as JsonSchema | undefined),
    ...(body && { body: { content: body } }),
    response: responsesOf(components, surface, route.schema, name && `${name}Response`),
  }
}

function bodyOf(components: Components, { body, requestBody }: FastifySchema, name?: string) {
  const content = requestBody ?? (body ? { 'application/json': body } : undefined)
  if (!content) return undefined
  const types = Object.entries(content)
  return Object.fromEntries(
    types.map(([type, schema], i) => [
      type,
      { schema: components.refer(schema as JsonSchema, i === 0 || !name ? name : `${name}${i + 1}`) },
    ]),
  )
}

/** The parameters of this address: routes of several addresses share a schema. */
function pathParameters(url: string, schema: JsonSchema | undefined): JsonSchema {
  const known = (schema?.properties ?? {}) as Schemas
  const names = [...url.matchAll(/:(\w+)/g)].map(([, name]) => name as string)
  return describeMembers({
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, known[name] ?? { type: 'string' }])),
  })
}

/** The parameters that the schema of the query names. The others are in `parameters`. */
function queryParameters(
  { parameters = [] }: FastifySchema,
  { properties = {}, required = [] }: { properties?: Schemas; required?: string[] } = {},
): JsonSchema {
  const own = Object.entries(properties).filter(
    // A schema without keywords describes nothing: the handler reads the parameter.
    ([name, schema]) => Object.keys(schema).length > 0 && parameters.every((one) => one.name !== name),
  )
  return describeMembers({
    type: 'object',
    properties: Object.fromEntries(
      own.map(([name, schema]) => {
        const { description, ...rest } = schema
        return [name, Object.keys(rest).length > 0 ? schema : { ...schema, type: 'string' }]
      }),
    ),
    // The validator writes a default into the query before it checks what is missing.
    required: required.filter((name) => !('default' in (properties[name] as JsonSchema))),
  })
}

function responsesOf(
  components: Components,
  surface: DescribedSurface,
  { response, returns = '', otherResponses = {} }: FastifySchema,
  name?: string,
): Record<string, unknown> {
  // A route without a response schema sends no body.
  const schemas = (response ?? (200 in otherResponses ? {} : { 204: { type: 'null' } })) as Schemas
  const own = Object.entries(schemas).map(([status, schema]) => {
    const says = schema.type === 'null' ? schema.description : undefined
    return [status, { description: says ?? returns, ...contentOf(components, surface, schema, name) }]
  })
  const others = Object.entries(otherResponses).map(([status, other]) => [
    status,
    otherOf(components, surface, other),
  ])
  return Object.fromEntries([...own, ...others])
}

function contentOf(
  components: Components,
  { content_type }: Pick<DescribedSurface, 'content_type'>,
  schema: JsonSchema,
  name?: string,
) {
  return schema.type === 'null'
    ? { type: 'null' }
    : { content: { [content_type]: { schema: components.refer(schema, name) } } }
}

function otherOf(
  components: Components,
  { refusals }: DescribedSurface,
  { description, content, problem }: OtherResponse,
) {
  if (problem) return { description, ...contentOf(components, refusals, refusals.schema) }
  if (!content) return { description, type: 'null' }
  const types = Object.entries(content).map(([type, says]) => [
    type,
    { schema: { type: 'string', description: says } },
  ])
  return { description, content: Object.fromEntries(types) }
}
