import type {
  FastifyInstance,
  FastifyPluginAsync,
  FastifyReply,
  FastifyRequest,
  FastifySchema,
} from 'fastify'
import type { Context } from '../context.ts'
import { ownerOfPass } from '../integrations/integrations.ts'
import { isPlainSchema } from '../request-log/request-log.ts'
import { type Exchange, type Message, sentBody } from '../traffic.ts'
import { unreadOf } from './unread-input.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The body of the answer, while requests are recorded. */
    answered: unknown
    /** Explains why the signature was refused. Set by the chat surface. */
    explainSignature: Exchange['explainSignature']
  }
}

/** Larger bodies are not searched for unread members. */
const SEARCHED_BYTES = 262_144

/** A surface whose requests are recorded, with its prefix. */
export function recorded(ctx: Context, surface: FastifyPluginAsync, prefix: string): FastifyPluginAsync {
  return async (app) => {
    recordTraffic(ctx, app)
    await app.register(surface, { prefix })
  }
}

/** Passes each request of a surface and its answer to the request log, when the answer has been sent. */
function recordTraffic(ctx: Context, app: FastifyInstance): void {
  app.addHook('onSend', (request, _reply, payload, done) => {
    if (ctx.traffic.isOn && !request.is_overload) request.answered = payload
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    // Under overload, the time for a row is missing for the requests that are served.
    if (ctx.traffic.isOn && !request.is_overload) ctx.traffic.add(exchangeOf(ctx, request, reply))
    done()
  })
}

/** Ends the connection of a request after its work, without an answer, and records it. */
export const dropAnswer =
  (ctx: Context) =>
  (request: FastifyRequest, reply: FastifyReply): void => {
    reply.hijack()
    reply.raw.destroy()
    if (!ctx.traffic.isOn) return
    const nothing = { headers: {}, content: null, size: 0 }
    ctx.traffic.add({
      ...exchangeOf(ctx, request, reply),
      ...{ status: null, error: 'answer_lost', response: nothing },
    })
  }

function exchangeOf(ctx: Context, request: FastifyRequest, reply: FastifyReply): Exchange {
  // Fastify builds the options of a route each time that they are read.
  const { schema } = request.routeOptions
  const duration_ms = Math.round(reply.elapsedTime)
  return {
    direction: 'in',
    at: ctx.clock() - duration_ms,
    duration_ms,
    method: request.method,
    host: request.host,
    url: request.raw.url ?? request.url,
    operation: schema?.operationId ?? '',
    request_id: request.id,
    ...callerOf(ctx, request),
    subdomain: request.tenant?.subdomain ?? null,
    status: reply.statusCode,
    error: null,
    unread: unreadIn(request),
    request: sentOf(request, schema),
    response: answerOf(request, reply, schema),
    explainSignature: request.explainSignature,
  }
}

type Caller = Pick<Exchange, 'account_id' | 'integration_id' | 'user_id' | 'grant_id' | 'generation'>

/** The account of a request and its caller, as far as they are known. */
function callerOf(ctx: Context, { actor, account_id, channel, headers }: FastifyRequest): Caller {
  // A channel can be connected before its scope is known.
  const known = account_id ?? channel?.account_id ?? null
  const pass = known === null ? ownerOfPass(ctx, headers.authorization) : undefined
  if (pass) return { ...pass, generation: null }
  const { integration, user_id = null } = actor ?? {}
  return {
    account_id: known,
    integration_id: integration?.id ?? null,
    user_id,
    grant_id: integration?.grant_id ?? null,
    generation: integration?.generation ?? null,
  }
}

const sentOf = ({ received, headers }: FastifyRequest, schema?: FastifySchema): Message => ({
  headers,
  content: schema?.is_confidential ? null : (received?.content ?? null),
  // A body that was passed on as a stream, or was never read, is only counted.
  size: received?.size ?? (Number(headers['content-length'] ?? 0) || 0),
})

/** The surface changes the answer to nothing after the hook that keeps it. A stream is only counted. */
function answerOf({ answered }: FastifyRequest, reply: FastifyReply, schema?: FastifySchema): Message {
  const { statusCode: status } = reply
  const headers = reply.getHeaders()
  if (status === 204 || status === 304 || !answered) return { headers, content: null, size: 0 }
  const isPlain = status < 300 && hasPlainAnswer(schema)
  if (typeof answered === 'string' || Buffer.isBuffer(answered)) {
    const { content, size } = sentBody(answered, Number(headers['content-length']))
    const isKept = !schema?.is_confidential || status >= 300
    return { headers, content: isKept ? content : null, size, isPlain }
  }
  return { headers, content: null, size: Number(headers['content-length'] ?? 0) }
}

const plain = new WeakMap<FastifySchema, boolean>()

/** Whether the schema of the answer has only known members, and none of them is a secret by its name. */
function hasPlainAnswer(schema: FastifySchema | undefined): boolean {
  if (!schema) return false
  const known = plain.get(schema)
  if (known !== undefined) return known
  const isPlain = isPlainSchema((schema.response as Record<number, unknown>)?.[200])
  plain.set(schema, isPlain)
  return isPlain
}

function unreadIn(request: FastifyRequest): readonly string[] {
  if (request.unread) return request.unread
  return (request.received?.size ?? 0) > SEARCHED_BYTES ? [] : unreadOf(request)
}
