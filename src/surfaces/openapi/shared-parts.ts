import type { JsonSchema } from '../../http/operation.ts'
import { reasons } from '../../http/problems/problem.ts'
import type { QueryParameter } from '../../http/queries/query-parameters.ts'
import type { Components } from './components.ts'
import { type DescribedSurface, surfaceOf } from './described-surfaces.ts'
import type { OpenApi } from './document.ts'
import type { Examples } from './examples.ts'
import type { ServedRoute } from './served-routes.ts'

export interface Operation {
  operationId: string
  summary: string
  description?: string
  tags: string[]
  security: readonly Record<string, readonly string[]>[]
  parameters?: (Parameter | Reference)[]
  requestBody?: { required: true; content: Content }
  responses: Record<string, Response | Reference>
}

export interface Parameter extends Omit<QueryParameter, 'in'> {
  in: 'path' | 'query' | 'header'
}

export interface Response {
  description: string
  headers?: Record<string, unknown>
  content?: Content
  /** By content type: other formats, which a caller has to request. */
  'x-exports'?: Readonly<Record<string, string>>
}

export type Content = Record<string, { schema: JsonSchema; example?: unknown }>
type Reference = { $ref: string }

const HEADERS = { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } }
const RETRY_AFTER = { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } }

/** Adds to each operation what the plugin cannot express, and what all operations of its surface have in common. */
export function withSharedParts(
  document: OpenApi,
  routes: readonly ServedRoute[],
  components: Components,
  examples: Examples,
): OpenApi {
  const responses: Record<string, Response> = {}
  const byId = new Map(routes.map((route) => [route.schema.operationId, route]))
  for (const [path, methods] of Object.entries(document.paths))
    for (const operation of Object.values(methods)) {
      const surface = surfaceOf(path) as DescribedSurface
      const route = byId.get(operation.operationId) as ServedRoute
      operation.parameters = [...(operation.parameters ?? []), ...parametersOf(surface, route)]
      for (const response of Object.values(operation.responses)) Object.assign(response, { headers: HEADERS })
      const { exports } = route.schema
      if (exports) Object.assign(operation.responses[200] ?? {}, { 'x-exports': exports })
      addExample(operation, examples[operation.operationId])
      Object.assign(operation.responses, refusalsOf(components, surface, route, responses))
    }
  return {
    ...document,
    components: { ...document.components, schemas: components.all, responses, ...shared },
  }
}

/** Adds what was sent and received once. The body of a response is that of its first status with JSON. */
function addExample(
  { requestBody, responses }: Operation,
  { request, response }: Examples[string] = {},
): void {
  const [sent] = Object.values(requestBody?.content ?? {})
  if (sent && request !== undefined) sent.example = request
  const contents = Object.values(responses).map((one) => ('content' in one ? one.content : undefined))
  const [received] = Object.values(contents.find((content) => content) ?? {})
  if (received && response !== undefined) received.example = response
}

function parametersOf(
  { repeats }: DescribedSurface,
  { method, schema: { parameters = [], requestHeaders = {} } }: ServedRoute,
): (Parameter | Reference)[] {
  const headers = Object.entries(requestHeaders).map(
    ([name, description]): Parameter => ({ name, in: 'header', description, schema: { type: 'string' } }),
  )
  const key = { $ref: '#/components/parameters/IdempotencyKey' }
  return [...parameters, ...headers, ...(repeats && ['POST', 'PATCH'].includes(method) ? [key] : [])]
}

/** The refusals of a surface. The document contains each of them once. */
function refusalsOf(
  components: Components,
  surface: DescribedSurface,
  route: ServedRoute,
  responses: Record<string, Response>,
): Record<string, Reference> {
  const { content_type, schema } = surface.refusals
  const content = { [content_type]: { schema: components.refer(schema) } }
  return Object.fromEntries(
    surface.reasons(route).map((reason) => {
      const name =
        surface.name + reason.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())
      const { status, meaning: description } = reasons[reason]
      const headers = { ...HEADERS, ...([409, 429, 503, 507].includes(status) && RETRY_AFTER) }
      responses[name] ??= { description, headers, content }
      return [String(status), { $ref: `#/components/responses/${name}` }]
    }),
  )
}

const shared = {
  headers: {
    RequestId: {
      description: 'The id of the request in the log of the server.',
      schema: { type: 'string' },
    },
    RetryAfter: { description: 'Seconds to wait.', schema: { type: 'integer' } },
  },
  parameters: {
    IdempotencyKey: {
      name: 'Idempotency-Key',
      in: 'header',
      description: 'A request that is sent again with the same key is done once. A key is kept for 24 hours.',
      schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x20-\\x7e]+$' },
    },
  },
}
