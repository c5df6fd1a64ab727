import type { FastifyPluginAsync } from 'fastify'
import type { Context } from '../../context.ts'
import type {} from '../scopes/chat-caller.ts'
import { Pushed } from './push-schemas.ts'
import { receivePush } from './receive.ts'

/** Largest push, in bytes. */
const PUSH_BODY = 262_144

/** Where providers push messages; below the chat surface, which has proved who calls. */
export const pushRoutes =
  (ctx: Context): FastifyPluginAsync =>
  async (app) => {
    // The members of a body depend on the protocol of the channel, so `pushMessage` validates it.
    app.post(
      '/:scope_id',
      { bodyLimit: PUSH_BODY, schema: { response: { 200: Pushed } } },
      ({ chat, body }) => receivePush(ctx, chat, body),
    )
  }
