import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type TSchema, Type } from 'typebox'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route answers one list. This is the name of its collection in `_embedded`. */
    collection?: string
  }
}

interface List {
  _links?: { next?: unknown }
  _embedded: Record<string, unknown[]>
}

/** Members of a list besides its collection. */
const listHead: readonly string[] = ['_count', '_total_items', '_page', '_page_count', '_links', 'next']

/** The statuses of these routes are documented, without 204. */
const alwaysShown: readonly string[] = ['events', 'notes', 'webhooks', 'versions']

/** The answer of a GET that finds nothing (docs/wire/requests.md#empty-answers). */
export const Nothing = Type.Null({ description: 'Nothing was found: there is no body.' })

/**
 * Answers empty lists of a surface with 204 and no body (V4). A list is an answer with one collection and no other
 * content. A page is not empty if there is a next page.
 */
export function answerEmptyLists(surface: FastifyInstance): void {
  surface.addHook('onRoute', (route) => {
    const response = route.schema?.response as Record<number, TSchema> | undefined
    const collection = collectionOf(response?.[200])
    if (!response || !collection || alwaysShown.includes(collection)) return
    if (![route.method].flat().every((method) => method === 'GET' || method === 'HEAD')) return
    response[204] ??= Nothing
    route.config = { ...route.config, collection }
  })
  surface.addHook('preSerialization', (request, reply, payload, done) => {
    if (isEmptyList(request, reply, payload)) reply.code(204).serializer(() => '')
    done(null, payload)
  })
}

function isEmptyList(request: FastifyRequest, reply: FastifyReply, payload: unknown): boolean {
  const { collection } = request.routeOptions.config
  if (collection === undefined || reply.statusCode !== 200) return false
  const { _links, _embedded } = payload as List
  return _embedded[collection]?.length === 0 && _links?.next === undefined
}

/** The only collection of an answer that is a list; undefined for every other answer. */
export function collectionOf(schema: TSchema | undefined): string | undefined {
  const { _embedded, ...others } = propertiesOf(schema)
  if (!_embedded || Object.keys(others).some((name) => !listHead.includes(name))) return undefined
  const [[name, { type }] = ['', {}], ...rest] = Object.entries(propertiesOf(_embedded))
  return type === 'array' && rest.length === 0 ? name : undefined
}

const propertiesOf = (schema: TSchema | undefined): Record<string, TSchema & { type?: string }> =>
  (schema as { properties?: Record<string, TSchema> } | undefined)?.properties ?? {}
