import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema } from 'fastify'
import Negotiator from 'negotiator'
import { selectAccount } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import { invalid, Refusal } from '../errors.ts'
import { createStreams } from '../events/events.ts'
import { type Caller, heardPage, type Kinds, listen } from './listening.ts'
import { HeardPage, HelperListenQuery, ListenQuery } from './schemas.ts'
import { heardTexts } from './stream.ts'

const STREAM = 'text/event-stream'
/** A client that accepts anything gets a page. */
const forms = ['application/json', 'application/hal+json', STREAM]
const MOST_STREAMS = 5

const words = {
  summary: 'Lists or streams the requests that the account sends.',
  description:
    'Webhooks, callbacks of chats, disable hooks and automation, signed as they are sent, whether or not their receivers answer. ' +
    'With `Accept: text/event-stream` it is a stream: `event: session`, then `event: request` for each request, with its id, and ' +
    '`event: position` as a heartbeat. It continues after `Last-Event-ID`.',
  returns: 'The next requests in the order in which they were queued, and where to continue.',
  requestHeaders: { 'Last-Event-ID': 'The event after which a stream continues.' },
  exports: { [STREAM]: 'The requests as they are queued, one event each.' },
} as const

const operations = {
  list: {
    ...words,
    operationId: 'outgoing_requests.list',
    tags: ['Webhooks'],
    querystring: ListenQuery,
    response: { 200: HeardPage },
  },
  listen: {
    ...words,
    operationId: 'test_helpers.listen',
    tags: ['Test helpers'],
    querystring: HelperListenQuery,
    response: { 200: HeardPage },
  },
} as const satisfies Record<string, FastifySchema>

/** `/outgoing_requests`: what the account sends, for administrators and tokens of theirs. */
export function outgoingRoutes(ctx: Context, kinds: Kinds): FastifyPluginAsyncTypebox {
  return async (v4) => {
    const stream = streamOf(ctx, v4, kinds)
    const callerOf = ({ actor }: FastifyRequest): Caller => ({
      account_id: actor.account_id,
      subdomain: actor.subdomain,
      actor,
    })
    v4.get('/outgoing_requests', { schema: operations.list }, async (request, reply) => {
      if (!asksForStream(request)) return heardPage(ctx, kinds, callerOf(request), request.query)
      const renew = async () => {
        request.actor = await request.renewActor()
        return callerOf(request)
      }
      return stream(request, reply, renew)
    })
  }
}

/** `/test_helpers/listen`: the same for tests, with all secrets that are sent. */
export function listenHelperRoutes(ctx: Context, kinds: Kinds): FastifyPluginAsyncTypebox {
  return async (helpers) => {
    const stream = streamOf(ctx, helpers, kinds)
    helpers.get('/listen', { schema: operations.listen }, async (request, reply) => {
      const callerOf = async (): Promise<Caller> => {
        const account = await selectAccount(ctx.db)
          .where('id', '=', request.helped_account_id)
          .executeTakeFirstOrThrow()
        return { account_id: account.id, subdomain: account.subdomain, actor: null }
      }
      if (asksForStream(request)) return stream(request, reply, callerOf)
      return heardPage(ctx, kinds, await callerOf(), request.query)
    })
  }
}

const asksForStream = ({ raw }: FastifyRequest): boolean => new Negotiator(raw).mediaType(forms) === STREAM

function streamOf(ctx: Context, app: FastifyInstance, kinds: Kinds) {
  const streams = createStreams(ctx, 'listening streams', MOST_STREAMS)
  app.addHook('preClose', async () => streams.end())

  return async (request: FastifyRequest, reply: FastifyReply, renew: () => Promise<Caller>) => {
    const { after: asked, limit: _, ...query } = request.query as ListenQuery
    const after = positionOf(request) ?? asked ?? null
    const first = await renew()
    // A refusal of the query is an answer; later ones end the stream.
    const { shown } = await listen(ctx, first, query)
    const owner = first.actor ?? { account_id: first.account_id, user_id: 0, integration: null }
    const texts = async function* (signal: AbortSignal) {
      try {
        yield* heardTexts(ctx, kinds, renew, { query, shown, after }, signal)
      } catch (error) {
        // The client connects again and then gets the reason.
        if (!(error instanceof Refusal)) throw error
      }
    }
    // A buffering proxy would hold the stream back.
    reply.header('cache-control', 'no-store').header('x-accel-buffering', 'no')
    reply.type(`${STREAM}; charset=utf-8`)
    return reply.send(await streams.begin(owner, reply.raw, texts))
  }
}

/** The request after which a broken stream continues; null to begin now. */
function positionOf({ headers }: FastifyRequest): number | null {
  const id = headers['last-event-id']
  if (id === undefined || id === '') return null
  if (typeof id !== 'string' || !/^\d{1,15}$/.test(id))
    throw invalid(
      'Last-Event-ID',
      'InvalidFormat',
      'Last-Event-ID should be the id of an event of this stream.',
    )
  return Number(id)
}
