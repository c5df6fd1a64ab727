import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '../context.ts'
import { FileSpace } from './schemas.ts'
import { fileSpace } from './space.ts'

/** The space of the account's files, for the session of an administrator. The platform has no such operation. */
export function spaceRoutes(ctx: Context): FastifyPluginAsyncTypebox {
  return async (web) => {
    web.get('/file-space', { schema: { response: { 200: FileSpace } } }, ({ actor }) => fileSpace(ctx, actor))
  }
}
