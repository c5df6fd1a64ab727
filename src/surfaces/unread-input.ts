import type { FastifyInstance, FastifyRequest, FastifySchema } from 'fastify'
import { collectFaults } from '../errors.ts'
import type { Query } from '../http/queries/bracket-query.ts'
import { type ReadParameter, unreadMembers, unreadParameters } from '../http/queries/unread.ts'

/** Names in one header, or in one refusal. */
const MOST = 20
/** Characters of one name. */
const LONGEST = 100

declare module 'fastify' {
  interface FastifyRequest {
    /** The unknown members and parameters of the request, once they were looked for. */
    unread: string[] | null
  }
}

/** Lists in `X-Ignored` what nothing reads in a request. The platform ignores it silently (V18). */
export function tellUnreadInput(surface: FastifyInstance): void {
  surface.addHook('preValidation', (request, _reply, done) => {
    request.unread = unreadOf(request)
    done()
  })
  surface.addHook('onSend', ({ unread }, reply, _payload, done) => {
    if (unread && unread.length > 0) reply.header('x-ignored', headerOf(unread))
    done()
  })
}

/** Refuses requests with input that nothing reads: with a misspelt filter, a test would wait for any request (Q43). */
export function refuseUnreadInput(surface: FastifyInstance): void {
  surface.addHook('preValidation', async (request) => {
    const { about, refuse } = collectFaults()
    const addFault = about('0')
    for (const name of unreadOf(request).slice(0, MOST))
      addFault('NotSupportedChoice', name.slice(0, LONGEST), 'The operation has no such member or parameter.')
    refuse()
  })
}

/** The members and parameters of a request that nothing reads, as far as its operation has a schema. */
export function unreadOf(request: FastifyRequest): string[] {
  const { schema = {} } = request.routeOptions
  const body = schema.body ?? schema.requestBody?.['application/json']
  const members = body && request.body ? unreadMembers(body, request.body) : []
  const query = request.query as Query
  for (const _ in query) return [...members, ...unreadParameters(parametersOf(request), query)]
  return members
}

const known = new WeakMap<FastifySchema, ReadParameter[]>()

/** The parameters that the operation reads: the names in its schema, and those in bracket notation. */
function parametersOf({ routeOptions: { schema = {} } }: FastifyRequest): ReadParameter[] {
  const parameters = known.get(schema) ?? readBy(schema)
  known.set(schema, parameters)
  return parameters
}

function readBy({ querystring, parameters = [], reads = [] }: FastifySchema): ReadParameter[] {
  const { properties = {} } = Object(querystring) as { properties?: Record<string, object> }
  const described = parameters.map(({ name, schema }): ReadParameter => {
    const choices = name === 'with' ? (schema.items as { enum?: unknown[] } | undefined)?.enum : undefined
    return { name, ...(choices && { choices }) }
  })
  const own = Object.entries(properties).flatMap(([name, schema]) =>
    inBrackets.has(name) && !('type' in schema) ? [] : [{ name }],
  )
  return [...own, ...described, ...reads.map((name) => ({ name }))]
}

/** Parameters without a schema of their own, which are read as described. */
const inBrackets = new Set(['filter', 'order', 'with'])

/** A header consists of visible ASCII, and a comma separates names. */
const headerOf = (names: readonly string[]): string =>
  [...names.slice(0, MOST).map(safe), ...(names.length > MOST ? ['...'] : [])].join(', ')

const safe = (name: string): string =>
  name
    .slice(0, LONGEST)
    .toWellFormed()
    .replace(/[^\x21-\x2b\x2d-\x7e]/gu, encodeURIComponent)
