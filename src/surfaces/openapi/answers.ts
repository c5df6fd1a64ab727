import { reasons } from '../../http/problem.ts'
import type { Components } from './components.ts'
import type { DescribedSurface } from './described-surfaces.ts'
import type { AnswerMetadata } from './metadata.ts'
import type { JsonSchema, ServedRoute } from './served-routes.ts'
import type { Subject } from './subjects.ts'

export interface Answer {
  description: string
  headers?: Record<string, unknown>
  content?: Content
  /** By content type: what is answered where it is asked for. */
  'x-exports'?: Record<string, string>
}
export type Content = Record<string, { schema: JsonSchema }>
export type Answers = Record<string, Answer | { $ref: string }>

const HEADERS = { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } }

const meanings: Record<string, string> = {
  200: 'As asked for.',
  201: 'Added.',
  202: 'Taken, and done.',
  204: 'It is done; there is nothing to say of it.',
}

/** What a route answers when it does what it is asked: its own schemas, and what is told of it besides. */
export function answersOf(
  components: Components,
  surface: DescribedSurface,
  { response = {} }: ServedRoute,
  told: Record<string, AnswerMetadata> = {},
): Answers {
  const statuses = new Set([...Object.keys(response), ...Object.keys(told)])
  // A route that declares nothing sends nothing.
  if (statuses.size === 0) statuses.add('204')
  return Object.fromEntries(
    [...statuses].map((status) => {
      const { description, content = {}, exports, problem } = told[status] ?? {}
      const shared = problem
        ? contentOf(components, surface.refusals)
        : contentOf(components, { content_type: surface.content_type, schema: response[status] })
      const all = { ...shared, ...othersOf(content) }
      return [
        status,
        {
          description: description ?? nothingOf(response[status]) ?? meanings[status] ?? 'Done.',
          headers: HEADERS,
          ...(Object.keys(all).length > 0 && { content: all }),
          ...(exports && { 'x-exports': exports }),
        },
      ]
    }),
  )
}

/** What an answer without a body says of itself. */
const nothingOf = (schema: JsonSchema | undefined): string | undefined =>
  schema?.type === 'null' ? (schema.description as string | undefined) : undefined

function contentOf(
  components: Components,
  { content_type, schema }: { content_type: string; schema: JsonSchema | undefined },
): Content {
  // What is null is not written.
  return schema && schema.type !== 'null' ? { [content_type]: { schema: components.refer(schema) } } : {}
}

const othersOf = (content: Record<string, string>): Content =>
  Object.fromEntries(
    Object.entries(content).map(([type, description]) => [type, { schema: { type: 'string', description } }]),
  )

/** What a surface answers when it refuses; each kind is written down once, among `shared`. */
export function refusalsOf(
  components: Components,
  surface: DescribedSurface,
  route: ServedRoute,
  subject: Subject,
  shared: Record<string, Answer>,
): Answers {
  return Object.fromEntries(
    surface.reasons(route, subject).map((reason) => {
      const name = surface.name + reason.replaceAll(/(?:^|_)(\w)/g, (_, letter) => letter.toUpperCase())
      const { status, meaning } = reasons[reason]
      shared[name] ??= {
        description: meaning,
        headers: {
          ...HEADERS,
          ...([409, 429, 503, 507].includes(status) && {
            'Retry-After': { $ref: '#/components/headers/RetryAfter' },
          }),
        },
        content: contentOf(components, surface.refusals),
      }
      return [String(status), { $ref: `#/components/responses/${name}` }]
    }),
  )
}
