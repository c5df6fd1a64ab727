import { type Answer, type Answers, answersOf, type Content, refusalsOf } from './answers.ts'
import type { Components } from './components.ts'
import type { DescribedSurface } from './described-surfaces.ts'
import type { OperationMetadata, OperationsMetadata } from './metadata.ts'
import { toldOfAuthorization } from './operations-of-authorization.ts'
import { toldOfCards } from './operations-of-cards.ts'
import { toldOfChannels } from './operations-of-channels.ts'
import { toldOfChats } from './operations-of-chats.ts'
import { toldOfEvents } from './operations-of-events.ts'
import { toldOfFiles } from './operations-of-files.ts'
import { toldOfJobs } from './operations-of-jobs.ts'
import { toldOfNotes } from './operations-of-notes.ts'
import { toldOfSettings } from './operations-of-settings.ts'
import { queryParameters } from './query-parameters.ts'
import type { JsonSchema, ServedRoute } from './served-routes.ts'
import { subjects } from './subjects.ts'

export interface Operation {
  operationId: string
  summary: string
  description?: string
  tags: string[]
  security: readonly Record<string, readonly string[]>[]
  parameters: (Parameter | { $ref: string })[]
  requestBody?: { required: true; content: Content }
  responses: Answers
}

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  description?: string
  required?: boolean
  style?: string
  explode?: boolean
  schema: JsonSchema
}

/** What is told of operations, by method and path. */
export const told: OperationsMetadata = {
  ...toldOfAuthorization,
  ...belowV4({
    ...toldOfCards,
    ...toldOfChats,
    ...toldOfNotes,
    ...toldOfEvents,
    ...toldOfSettings,
    ...toldOfJobs,
  }),
  ...toldOfFiles,
  ...toldOfChannels,
}

function belowV4(operations: OperationsMetadata): OperationsMetadata {
  return Object.fromEntries(
    Object.entries(operations).map(([name, one]) => [name.replace(' ', ' /api/v4'), one]),
  )
}

/** `/api/v4/leads/:id` is `/api/v4/leads/{id}`; what an address may end in has no name in the router. */
export const pathOf = (url: string): string => url.replaceAll(/:(\w+)/g, '{$1}').replace(/\*$/, '{name}')

/** Describes one route: by its schemas, by what all of its surface have in common, and by what is told of it. */
export function operationOf(
  components: Components,
  surface: DescribedSurface,
  route: ServedRoute,
  shared: Record<string, Answer>,
): Operation {
  const path = pathOf(route.url)
  const entry = told[`${route.method} ${path}`] ?? ''
  const { summary, description, ...rest }: OperationMetadata =
    typeof entry === 'string' ? { summary: entry } : entry
  const subject = subjects.find(({ paths }) => paths.test(path))
  const body = rest.body ?? bodyOf(route, rest)
  return {
    operationId: idOf(route, surface),
    summary,
    ...(description !== undefined && { description }),
    tags: subject ? [subject.name] : [],
    security: rest.security ?? surface.security,
    parameters: [
      ...pathParameters(path, route),
      ...queryParameters(route.querystring, rest.query ?? []),
      ...headerParameters(rest),
      ...(surface.repeats && ['POST', 'PATCH'].includes(route.method)
        ? [{ $ref: '#/components/parameters/IdempotencyKey' }]
        : []),
    ],
    ...(body && {
      requestBody: {
        required: true,
        content: Object.fromEntries(
          Object.entries(body).map(([type, schema]) => [type, { schema: components.refer(schema) }]),
        ),
      },
    }),
    responses: {
      ...answersOf(components, surface, route, rest.answers),
      ...(subject && refusalsOf(components, surface, route, subject, shared)),
    },
  }
}

function bodyOf(
  { body }: ServedRoute,
  { one_too }: Pick<OperationMetadata, 'one_too'>,
): Record<string, JsonSchema> | undefined {
  if (!body) return undefined
  return { 'application/json': one_too ? { anyOf: [body, body.items as JsonSchema] } : body }
}

function pathParameters(path: string, { params }: ServedRoute): Parameter[] {
  const schemas = (params?.properties ?? {}) as Record<string, JsonSchema>
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name: name as string,
    in: 'path',
    required: true,
    schema: schemas[name as string] ?? { type: 'string' },
  }))
}

const headerParameters = ({ headers = {} }: Pick<OperationMetadata, 'headers'>): Parameter[] =>
  Object.entries(headers).map(([name, header]) => ({
    name,
    in: 'header',
    ...header,
    schema: { type: 'string' },
  }))

/** Stable, because it is made of the address: `PATCH /api/v4/leads/{id}` is `patchLeadsById`. */
function idOf({ method, url }: ServedRoute, { below }: DescribedSurface): string {
  const prefix = below === '/api/v4' ? '' : below
  const parts = pathOf(prefix + url.slice(below.length)).split('/')
  return (
    method.toLowerCase() +
    parts.map((part) => (part.startsWith('{') ? `By${pascal(part)}` : pascal(part))).join('')
  )
}

const pascal = (text: string): string =>
  text
    .split(/[^a-zA-Z0-9]+/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('')
