import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '../context.ts'
import { eraseFiles } from './erasure.ts'
import { NamedFiles } from './schemas.ts'

/** The permanent deletion of files, for the session of an administrator. The platform has no such operation. */
export function erasureRoutes(ctx: Context): FastifyPluginAsyncTypebox {
  return async (web) => {
    web.delete('/trashed-files', { schema: { body: NamedFiles } }, async ({ actor, body }, reply) => {
      await eraseFiles(ctx, actor, body)
      return reply.code(204).send()
    })
  }
}
