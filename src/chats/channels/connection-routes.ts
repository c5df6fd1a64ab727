import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Context } from '../../context.ts'
import { Nothing } from '../scopes/provider-schemas.ts'
import { Connect, Connected, Disconnect } from './channel-schemas.ts'
import { connectAccount, disconnectAccount } from './connections.ts'
import type { ChannelCause, IntegrationsOfChannels } from './own-channels.ts'

const CONNECT_BYTES = 4 * 1024
const ByChannel = Type.Object({ channel_id: Type.String({ maxLength: 64 }) })

const operations = {
  connect: {
    operationId: 'chats.connect',
    summary: 'Connects an account to the channel, or changes its connection.',
    description:
      'The account is the one of the channel, or one in which the integration of the channel is installed.',
    returns: 'The connection.',
    tags: ['Chat channels'],
    params: ByChannel,
    body: Connect,
    response: { 200: Connected },
  },
  disconnect: {
    operationId: 'chats.disconnect',
    summary: 'Ends the connection of an account to the channel.',
    returns: 'The account is disconnected.',
    tags: ['Chat channels'],
    params: ByChannel,
    body: Disconnect,
    response: { 200: Nothing },
  },
}

/** Connecting accounts to a channel (C3). The surface has authenticated the provider. */
export function connectionRoutes(
  ctx: Context,
  integrations: Pick<IntegrationsOfChannels, 'isInstalled'>,
): FastifyPluginAsyncTypebox {
  return async (chat) => {
    chat.post('/:channel_id/connect', { bodyLimit: CONNECT_BYTES, schema: operations.connect }, (request) =>
      connectAccount(ctx, causeOf(request), request.channel.id, request.body, integrations),
    )
    // The specification states POST in one place and DELETE in another.
    for (const [method, operationId] of [
      ['POST', 'chats.disconnect'],
      ['DELETE', 'chats.connection.delete'],
    ] as const)
      chat.route({
        method,
        url: '/:channel_id/disconnect',
        bodyLimit: CONNECT_BYTES,
        schema: { ...operations.disconnect, operationId },
        handler: async (request, reply) => {
          await disconnectAccount(ctx, causeOf(request), request.channel.id, request.body.account_id)
          return reply.code(200).send()
        },
      })
  }
}

const causeOf = ({ id, ip, channel }: Pick<FastifyRequest, 'id' | 'ip' | 'channel'>): ChannelCause => ({
  user_id: 0,
  integration: { number: channel.integration_number },
  request_id: id,
  address: ip,
})
