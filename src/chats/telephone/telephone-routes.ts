import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Context } from '../../context.ts'
import { openTelephone, type SendToChatApi } from './telephone.ts'
import {
  CustomerMessage,
  CustomerReaction,
  CustomerStatus,
  CustomerTyping,
  Sent,
} from './telephone-schemas.ts'

const ById = Type.Object({ id: Type.String({ maxLength: 64 }) })

/**
 * `/web/channels/:id/telephone`: an administrator plays a customer of a channel. The requests are signed here, so that the
 * secret does not leave the server, and pass through the whole chat API, with its limits and the request log.
 */
export function telephoneRoutes(ctx: Context): FastifyPluginAsyncTypebox {
  const open = (request: FastifyRequest, id: string) =>
    openTelephone(ctx, request.actor, id, sendWith(request))
  return async (web) => {
    const at = '/channels/:id/telephone'
    web.post(
      `${at}/messages`,
      { schema: { params: ById, body: CustomerMessage, response: { 200: Sent } } },
      async (request) => (await open(request, request.params.id)).write(request.body),
    )
    web.post(`${at}/status`, { schema: { params: ById, body: CustomerStatus } }, async (request, reply) => {
      await (await open(request, request.params.id)).report(request.body)
      return reply.code(204).send()
    })
    web.post(`${at}/typing`, { schema: { params: ById, body: CustomerTyping } }, async (request, reply) => {
      await (await open(request, request.params.id)).type(request.body)
      return reply.code(204).send()
    })
    web.post(
      `${at}/reaction`,
      { schema: { params: ById, body: CustomerReaction } },
      async (request, reply) => {
        await (await open(request, request.params.id)).react(request.body)
        return reply.code(204).send()
      },
    )
  }
}

/** Sends requests to the chat API of this server, from the address of the caller. */
function sendWith({ server, host, ip }: FastifyRequest): SendToChatApi {
  return async ({ url, headers, body }) => {
    const answer = await server.inject({
      method: 'POST',
      url,
      headers: { host, ...headers },
      payload: body,
      remoteAddress: ip,
    })
    return { status: answer.statusCode, body: answer.payload === '' ? null : JSON.parse(answer.payload) }
  }
}
