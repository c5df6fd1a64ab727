import type { FastifyPluginAsyncTypebox, TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { baseOf, originOf } from '../http/paging.ts'
import type { FileUses } from './file-rights.ts'
import { NewSession, PartPath, Session, TakenPart } from './schemas.ts'
import { dropSession, openSession } from './sessions.ts'
import { PART_BYTES, takePart } from './uploads.ts'
import { viewsOf } from './views.ts'

/** `/v1.0/sessions`: uploads, part by part. */
export function uploadRoutes(ctx: Context, uses: FileUses): FastifyPluginAsyncTypebox {
  return async (drive) => {
    const base = baseOf(drive)
    const partUrl = (request: FastifyRequest, token: string, start: number) =>
      `${base(request)}/v1.0/sessions/upload/${token}/${start}`

    drive.post(
      '/v1.0/sessions',
      { schema: { body: NewSession, response: { 200: Session } } },
      async (request) => {
        const { id, token } = await openSession(ctx, request.actor, request.body, uses)
        return {
          max_file_size: ctx.config.file_limit,
          max_part_size: PART_BYTES,
          session_id: id,
          upload_url: partUrl(request, token, 0),
        }
      },
    )

    drive.delete(
      '/v1.0/sessions/upload/:token/:start',
      { schema: { params: PartPath } },
      async ({ actor, params }, reply) => {
        await dropSession(ctx, actor, params.token)
        return reply.code(204).send()
      },
    )

    await drive.register(async (parts) => {
      // Clients send a part under the type of the file that it is of: JSON, too, is bytes here.
      parts.removeAllContentTypeParsers()
      parts.addContentTypeParser(
        '*',
        { parseAs: 'buffer' },
        async (_request: FastifyRequest, bytes: Buffer) => bytes,
      )
      parts
        .withTypeProvider<TypeBoxTypeProvider>()
        .post(
          '/v1.0/sessions/upload/:token/:start',
          { bodyLimit: PART_BYTES, schema: { params: PartPath, response: { 200: TakenPart } } },
          async (request) => {
            const { token, start } = request.params
            const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
            const taken = await takePart(ctx, request.actor, { token, start, bytes })
            if ('file' in taken)
              return viewsOf(ctx, { origin: originOf(request), base: base(request) }).file(taken.file)
            const { session_id, next } = taken
            return { session_id, next_url: partUrl(request, token, next), max_part_size: PART_BYTES }
          },
        )
    })
  }
}
