import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { confirmedUntil, listAudit, requireConfirmed } from '../../accounts/accounts.ts'
import { AuditPage } from '../../accounts/members/schemas.ts'
import type { Context } from '../../context.ts'
import { mount } from '../../http/mount.ts'
import { rotateSecret, showChannelKeys } from './channel-keys.ts'
import {
  Channel,
  ChannelKeys,
  ChannelList,
  ChannelPatch,
  ConnectionList,
  NewChannel,
  Rotation,
  SavedChannel,
  SignedHeaders,
  UnsignedCall,
} from './channel-schemas.ts'
import { resumeChannel } from './channel-states.ts'
import {
  createChannel,
  deleteChannel,
  isSensitive,
  listChannels,
  readChannel,
  updateChannel,
} from './channels.ts'
import { connectOwn, disconnectOwn, listConnections } from './connections.ts'
import { type IntegrationsOfChannels, ownChannel } from './own-channels.ts'
import { signCall } from './signed-calls.ts'

const ById = Type.Object({ id: Type.String({ maxLength: 64 }) })
const Before = Type.Object({ before: Type.Optional(Type.String({ maxLength: 26 })) })

/**
 * The channels of a developer account, for the session of an administrator. They are not part of v4, because
 * showing or rotating a secret requires a password and a token has none (A11).
 */
export function channelRoutes(ctx: Context, integrations: IntegrationsOfChannels): FastifyPluginAsyncTypebox {
  return async (web) => {
    await mount(web, settingRoutes(ctx, integrations))
    await mount(web, keyRoutes(ctx))
    await mount(web, stateRoutes(ctx))
  }
}

function settingRoutes(ctx: Context, integrations: IntegrationsOfChannels): FastifyPluginAsyncTypebox {
  return async (web) => {
    web.get('/channels', { schema: { response: { 200: ChannelList } } }, async ({ actor }) => ({
      channels: await listChannels(ctx, actor),
    }))
    web.post(
      '/channels',
      { schema: { repeats: true, is_confidential: true, body: NewChannel, response: { 201: SavedChannel } } },
      async ({ actor, body }, reply) =>
        reply.code(201).send(await createChannel(ctx, actor, body, integrations)),
    )
    web.get('/channels/:id', { schema: { params: ById, response: { 200: Channel } } }, ({ actor, params }) =>
      readChannel(ctx, actor, params.id),
    )
    web.patch(
      '/channels/:id',
      { schema: { params: ById, body: ChannelPatch, response: { 200: Channel } } },
      async ({ actor, params, body, session }) => {
        await ownChannel(ctx, actor, params.id)
        if (isSensitive(body)) requireConfirmed(session, ctx.now())
        return updateChannel(ctx, actor, params.id, body, integrations)
      },
    )
    web.delete('/channels/:id', { schema: { params: ById } }, async ({ actor, params }, reply) => {
      await deleteChannel(ctx, actor, params.id)
      return reply.code(204).send()
    })
    web.get(
      '/channels/:id/log',
      { schema: { params: ById, querystring: Before, response: { 200: AuditPage } } },
      async ({ actor, params, query }) => {
        const { id } = await ownChannel(ctx, actor, params.id)
        return listAudit(ctx, actor, { channel_id: id, before: query.before })
      },
    )
  }
}

function keyRoutes(ctx: Context): FastifyPluginAsyncTypebox {
  return async (web) => {
    web.post(
      '/channels/:id/keys',
      { schema: { params: ById, response: { 200: ChannelKeys } } },
      async ({ actor, params, session }) => {
        await ownChannel(ctx, actor, params.id)
        requireConfirmed(session, ctx.now())
        return showChannelKeys(ctx, actor, params.id)
      },
    )
    web.post(
      '/channels/:id/secret',
      { schema: { params: ById, body: Type.Union([Rotation, Type.Null()]), response: { 200: ChannelKeys } } },
      async ({ actor, params, body, session }) => {
        await ownChannel(ctx, actor, params.id)
        requireConfirmed(session, ctx.now())
        return rotateSecret(ctx, actor, params.id, body?.overlap_seconds)
      },
    )
    web.post(
      '/channels/:id/signatures',
      { schema: { params: ById, body: UnsignedCall, response: { 200: SignedHeaders } } },
      async ({ actor, params, body, session }) => {
        const isConfirmed = confirmedUntil(session, ctx.now()) !== null
        return { headers: await signCall(ctx, actor, params.id, body, isConfirmed) }
      },
    )
  }
}

function stateRoutes(ctx: Context): FastifyPluginAsyncTypebox {
  const actions = { resume: resumeChannel, connect: connectOwn, disconnect: disconnectOwn }
  return async (web) => {
    for (const [name, act] of Object.entries(actions))
      web.post(
        `/channels/:id/${name}`,
        { schema: { params: ById, response: { 200: Channel } } },
        async ({ actor, params }) => {
          await act(ctx, actor, params.id)
          return readChannel(ctx, actor, params.id)
        },
      )
    web.get(
      '/channels/:id/connections',
      { schema: { params: ById, response: { 200: ConnectionList } } },
      ({ actor, params }) => listConnections(ctx, actor, params.id),
    )
  }
}
