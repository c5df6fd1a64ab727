import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '../context.ts'
import { originOf } from '../http/paging.ts'
import { createPasswordLink } from './new-passwords.ts'
import { ById, PasswordLink } from './schemas.ts'

/** `/web/people/{id}/password_link`: for administrators in the web application; no token of an integration does this. */
export function passwordLinkRoutes(ctx: Context): FastifyPluginAsyncTypebox {
  return async (web) => {
    web.post(
      '/people/:id/password_link',
      { schema: { params: ById, response: { 200: PasswordLink } } },
      async (request) => {
        const { actor, session, params } = request
        const { token, expires_at } = await createPasswordLink(ctx, actor, session, params.id)
        // Behind the hash, so that neither a proxy's log nor a Referer header gets it.
        return { url: `${originOf(request)}/new-password#${token}`, expires_at }
      },
    )
  }
}
