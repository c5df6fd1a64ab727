import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify'
import { connectionRoutes } from '../chats/channels/connection-routes.ts'
import { authenticateChannel, authenticateScope, type UnverifiedRequest } from '../chats/chats.ts'
import { providerRoutes } from '../chats/messages/provider-routes.ts'
import { pushRoutes } from '../chats/messages/push-routes.ts'
import type { Context } from '../context.ts'
import { Refusal } from '../errors.ts'
import { membersWithin, parseJson } from '../http/json-body.ts'
import { mount } from '../http/mount.ts'
import { integrationsOfChannels } from '../integrations/integrations.ts'
import { chatErrorHandler } from './chat-errors.ts'

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
    keepBytes(chat)
    await chat.register(async (channels) => {
      authenticateBy(channels, async (request) => {
        const { channel_id } = request.params as { channel_id: string }
        request.channel = await authenticateChannel(ctx, channel_id, unverified(request))
      })
      await mount(channels, connectionRoutes(ctx, integrationsOfChannels))
    })
    await chat.register(async (scopes) => {
      authenticateBy(scopes, async (request) => {
        const { scope_id } = request.params as { scope_id: string }
        request.chat = await authenticateScope(ctx, scope_id, unverified(request))
        request.account_id = request.chat.account.id
      })
      await mount(scopes, pushRoutes(ctx))
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
    if (request.rawBody.length > 0) request.body = read(request)
  })
}

/** Takes the body as bytes, whatever its type, because the signature is verified first. */
function keepBytes(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, bytes, done) => {
    request.rawBody = bytes as Buffer
    done(null, undefined)
  })
  app.addHook('onRequest', async (request) => {
    request.rawBody = NO_BYTES
  })
}

function read(request: FastifyRequest): unknown {
  const type = request.headers['content-type'] ?? ''
  if (!/^application\/json\s*(;|$)/i.test(type))
    throw new Refusal('invalid', 'The Content-Type must be application/json.')
  return parseJson(request.rawBody, membersWithin(request.routeOptions.bodyLimit))
}

const unverified = (request: FastifyRequest): UnverifiedRequest => ({
  request_id: request.id,
  address: request.ip,
  method: request.method,
  path: pathOf(request),
  headers: request.headers,
  body: request.rawBody,
})

/** The path as it was sent. */
const pathOf = ({ raw }: FastifyRequest): string => (raw.url ?? '').split('?', 1)[0] as string
