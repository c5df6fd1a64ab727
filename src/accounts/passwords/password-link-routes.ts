import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '../../context.ts'
import { originOf } from '../../http/queries/paging.ts'
import { ById, PasswordLink } from '../members/schemas.ts'
import { createPasswordLink } from './new-passwords.ts'

/**
 * `/web/people/{id}/password_link`, for administrators in the web application. An integration's token cannot call
 * it.
 */
export function passwordLinkRoutes(ctx: Context): FastifyPluginAsyncTypebox {
  return async (web) => {
    web.post(
      '/people/:id/password_link',
      { schema: { params: ById, response: { 200: PasswordLink } } },
      async (request) => {
        const { actor, session, params } = request
        const { token, expires_at } = await createPasswordLink(ctx, actor, session, params.id)
        // The token is in the fragment, so that it appears in no proxy log and no Referer header.
        return { url: `${originOf(request)}/new-password#${token}`, expires_at }
      },
    )
  }
}
