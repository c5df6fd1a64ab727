import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { connectionRoutes } from '../chats/channels/connection-routes.ts'
import { authenticateChannel, authenticateScope, type UnverifiedRequest } from '../chats/chats.ts'
import { providerRoutes } from '../chats/messages/provider-routes.ts'
import { pushRoutes } from '../chats/messages/push-routes.ts'
import type { Context } from '../context.ts'
import { Refusal } from '../errors.ts'
import { membersWithin, parseJson } from '../http/bodies/json-body.ts'
import { mount } from '../http/mount.ts'
import { isCutOff, logCause, reasons, refusalOf } from '../http/problems/problem.ts'
import { keepReceived } from '../http/received.ts'
import { integrationsOfChannels, sourcesOfChats } from '../integrations/integrations.ts'
import { explainRefused } from '../signatures/signatures.ts'

const NO_BYTES = Buffer.alloc(0)

/**
 * `/v2/origin/custom`: called by providers of chat channels, under every name of this server. A request is signed with
 * the secret of its channel, to the byte (C2). Nothing in its body is read before the signature was verified.
 */
export function chatSurface(ctx: Context): FastifyPluginAsync {
  return async (chat) => {
    chat.alikeBelow.push(`${chat.prefix}/`)
    chat.decorateRequest('rawBody')
    chat.decorateRequest('channel')
    chat.decorateRequest('chat')
    chat.setErrorHandler(chatErrorHandler)
    chat.refusalsBelow.push([`${chat.prefix}/`, chatErrorHandler])
    chat.addHook('onSend', (_request, reply, _payload, done) => {
      if (reply.statusCode < 300 && reply.getHeader('content-type') !== undefined)
        reply.header('content-type', 'application/json')
      done()
    })
    keepBytes(ctx, chat)
    await chat.register(async (channels) => {
      authenticateBy(channels, async (request) => {
        const { channel_id } = request.params as { channel_id: string }
        request.channel = await authenticateChannel(ctx, channel_id, unverified(ctx, request))
      })
      await mount(channels, connectionRoutes(ctx, integrationsOfChannels))
    })
    await chat.register(async (scopes) => {
      authenticateBy(scopes, async (request) => {
        const { scope_id } = request.params as { scope_id: string }
        request.chat = await authenticateScope(ctx, scope_id, unverified(ctx, request))
        request.account_id = request.chat.account.id
      })
      await mount(scopes, pushRoutes(ctx, sourcesOfChats))
      await mount(scopes, providerRoutes(ctx))
    })
    chat.all('/*', (request) => {
      throw new Refusal('not_found', `Cannot ${request.method} ${pathOf(request)}`)
    })
  }
}

/** Verifies the signature before the routes and parses their bodies afterwards. */
function authenticateBy(
  app: FastifyInstance,
  authenticate: (request: FastifyRequest) => Promise<void>,
): void {
  app.addHook('preValidation', async (request) => {
    await authenticate(request)
    if (request.rawBody.length > 0 && request.method !== 'GET') request.body = read(request)
  })
}

/**
 * Takes the body as bytes, of any type, because the signature is verified first. That of a GET is taken, too: clients
 * that sign everything in one way send an empty list with it, and sign that (C2).
 */
function keepBytes(ctx: Context, app: FastifyInstance): void {
  const keep = (request: FastifyRequest, bytes: Buffer) => {
    keepReceived(ctx, request, bytes)
    request.rawBody = bytes
  }
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, bytes, done) => {
    keep(request, bytes as Buffer)
    done(null, undefined)
  })
  app.addHook('onRequest', async (request) => {
    request.rawBody = NO_BYTES
  })
  app.addHook('preParsing', async (request, _reply, payload) => {
    if (request.method === 'GET' && hasBody(request)) keep(request, await bytesOf(request))
    return payload
  })
}

/** Whether a body has a length that the address accepts. A longer one stays unread, and its signature is wrong. */
function hasBody({ headers, routeOptions }: FastifyRequest): boolean {
  const length = Number(headers['content-length'] ?? 0)
  return length > 0 && length <= routeOptions.bodyLimit
}

async function bytesOf({ raw }: FastifyRequest): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of raw) chunks.push(chunk)
  return Buffer.concat(chunks)
}

function read(request: FastifyRequest): unknown {
  const type = request.headers['content-type'] ?? ''
  if (!/^application\/json\s*(;|$)/i.test(type))
    throw new Refusal('invalid', 'The Content-Type must be application/json.')
  return parseJson(request.rawBody, membersWithin(request.routeOptions.bodyLimit))
}

const unverified = (ctx: Context, request: FastifyRequest): UnverifiedRequest => ({
  request_id: request.id,
  address: request.ip,
  method: request.method,
  path: pathOf(request),
  headers: request.headers,
  body: request.rawBody,
  signatureRefused: (channel) => {
    request.explainSignature = explainRefused(ctx, channel, {
      method: request.method,
      url: request.raw.url ?? '',
      headers: request.headers,
      body: request.rawBody,
      address: request.ip,
    })
  },
})

/** The path as it was sent. */
const pathOf = ({ raw }: FastifyRequest): string => (raw.url ?? '').split('?', 1)[0] as string

/**
 * Renders every refusal in the form that channel providers know (docs/wire/chats.md#errors-of-the-chat-api); every
 * other error is a 500 with a constant sentence.
 */
function chatErrorHandler(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const refusal = isCutOff(error, request)
    ? new Refusal('invalid', 'The body is incomplete.')
    : refusalOf(error, request)
  if (!refusal) request.log.error({ err: error }, 'unexpected error')
  if (refusal) logCause(request, refusal)
  if (refusal?.retry_after !== undefined) reply.header('retry-after', refusal.retry_after)
  const status = refusal ? reasons[refusal.reason].status : 500
  reply
    .code(status)
    .type('application/json')
    .serializer(JSON.stringify)
    .send({
      status: 0,
      error_code: status,
      error_type: refusal ? refusal.code.toUpperCase() : 'INTERNAL',
      error_description: refusal
        ? refusal.message
        : `Something went wrong on our side. The request id is ${request.id}.`,
      ...(refusal && refusal.faults.length > 0 && { errors: refusal.faults.map(placed) }),
    })
}

const placed = ({ path, code, detail }: Refusal['faults'][number]) => ({ path, code, detail })
