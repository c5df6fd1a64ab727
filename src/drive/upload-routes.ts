import type { FastifyPluginAsyncTypebox, TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import type { RequestOf } from '../http/operation.ts'
import { baseOf, originOf } from '../http/queries/paging.ts'
import type { FileUses } from './file-rights.ts'
import { NewSession, PartPath, Session, TakenPart } from './schemas.ts'
import { cancelUpload, openSession } from './sessions.ts'
import { acceptPart, PART_BYTES } from './uploads.ts'
import { fileView, linksOf } from './views.ts'

const operations = {
  create: {
    operationId: 'uploads.create',
    summary: 'Starts the upload of one file.',
    returns: 'The upload, with the address for its first part.',
    tags: ['Files'],
    body: NewSession,
    response: { 200: Session },
  },
  remove: {
    operationId: 'uploads.delete',
    summary: 'Cancels one upload and deletes the parts that were sent.',
    description: '`start` can be any number. This operation is not part of the platform.',
    returns: 'The upload was cancelled.',
    tags: ['Files'],
    params: PartPath,
  },
  sendPart: {
    operationId: 'uploads.send_part',
    summary: 'Uploads the next part of a file. The last part creates the file.',
    returns: 'The address for the next part, or the file after the last part.',
    tags: ['Files'],
    requestBody: { 'application/octet-stream': { type: 'string', format: 'binary' } },
    params: PartPath,
    response: { 200: TakenPart },
  },
}

const PART = '/v1.0/sessions/upload/:token/:start'

/** `/v1.0/sessions`: uploads in parts. */
export function uploadRoutes(ctx: Context, uses: FileUses): FastifyPluginAsyncTypebox {
  return async (drive) => {
    const base = baseOf(drive)

    drive.post('/v1.0/sessions', { schema: operations.create }, async (request) => {
      const { id, token } = await openSession(ctx, request.actor, request.body, uses)
      return {
        max_file_size: ctx.config.file_limit,
        max_part_size: PART_BYTES,
        session_id: id,
        upload_url: partUrl(base(request), token, 0),
      }
    })
    drive.delete(PART, { schema: operations.remove }, async ({ actor, params }, reply) => {
      await cancelUpload(ctx, actor, params.token)
      return reply.code(204).send()
    })
    await drive.register(partRoute(ctx))
  }
}

/** Clients send parts with the media type of the file, so even JSON is bytes here. */
function partRoute(ctx: Context): FastifyPluginAsyncTypebox {
  return async (drive) => {
    const base = baseOf(drive)
    drive.removeAllContentTypeParsers()
    drive.addContentTypeParser(
      '*',
      { parseAs: 'buffer' },
      async (_request: FastifyRequest, bytes: Buffer) => bytes,
    )
    drive
      .withTypeProvider<TypeBoxTypeProvider>()
      .post(PART, { bodyLimit: PART_BYTES, schema: operations.sendPart }, (request) =>
        sendPart(ctx, request, base(request)),
      )
  }
}

async function sendPart(ctx: Context, request: RequestOf<typeof operations.sendPart>, base: string) {
  const { token, start } = request.params
  const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
  const result = await acceptPart(ctx, request.actor, { token, start, bytes })
  if ('file' in result) return fileView(result.file, linksOf(ctx, { origin: originOf(request), base }))
  const { session_id, next } = result
  return { session_id, next_url: partUrl(base, token, next), max_part_size: PART_BYTES }
}

const partUrl = (base: string, token: string, start: number) =>
  `${base}/v1.0/sessions/upload/${token}/${start}`
