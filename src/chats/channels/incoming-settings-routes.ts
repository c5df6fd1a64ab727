import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { areChatsUnsorted, changeChatsUnsorted, requireAdmin } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'

const NewChats = Type.Object({ are_chats_unsorted: Type.Boolean() }, { title: 'NewChats' })

/** `/web/new-chats`: whether the leads of new chats wait until somebody accepts them. For administrators. */
export function incomingSettingsRoutes(ctx: Context): FastifyPluginAsyncTypebox {
  return async (web) => {
    web.get('/new-chats', { schema: { response: { 200: NewChats } } }, async ({ actor }) => {
      requireAdmin(actor)
      return { are_chats_unsorted: await areChatsUnsorted(ctx.db, actor.account_id) }
    })
    web.put('/new-chats', { schema: { body: NewChats } }, async ({ actor, body }, reply) => {
      await changeChatsUnsorted(ctx, actor, body.are_chats_unsorted)
      return reply.code(204).send()
    })
  }
}
