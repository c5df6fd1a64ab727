import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import type { FileRow } from '../db/tables.ts'
import { self } from '../http/hal.ts'
import { mount } from '../http/mount.ts'
import { baseOf, keysetPage, originOf, pageOf, positionOf } from '../http/paging.ts'
import { changeFile, restoreFiles, trashFiles } from './changes.ts'
import { downloadRoutes } from './download-routes.ts'
import {
  type FileUses,
  noFile,
  requirePermission,
  visibleFile,
  visibleFilesCondition,
} from './file-rights.ts'
import { type FilesAsked, listFiles } from './list.ts'
import { findVersion, findVersions } from './queries.ts'
import {
  ByUuid,
  ByVersion,
  File,
  FileList,
  FilePatch,
  FileQuery,
  Files,
  FileVersion,
  FileVersions,
  NamedFiles,
} from './schemas.ts'
import { uploadRoutes } from './upload-routes.ts'
import { viewsOf } from './views.ts'

/** `/v1.0` of the file service; below a surface that has said who asks. */
export function driveRoutes(ctx: Context, uses: FileUses): FastifyPluginAsyncTypebox {
  return async (drive) => {
    drive.addHook('onSend', (_request, reply, _payload, done) => {
      // As the platform's file service says it; Fastify would add a charset.
      if (String(reply.getHeader('content-type')).startsWith('application/json'))
        reply.header('content-type', 'application/json')
      done()
    })
    await mount(drive, fileRoutes(ctx, uses))
    await mount(drive, uploadRoutes(ctx, uses))
    await mount(drive, downloadRoutes(ctx, uses))
  }
}

function fileRoutes(ctx: Context, uses: FileUses): FastifyPluginAsyncTypebox {
  return async (drive) => {
    const base = baseOf(drive)
    const views = (request: FastifyRequest) =>
      viewsOf(ctx, { origin: originOf(request), base: base(request) })
    const listed = (request: FastifyRequest, rows: FileRow[]) => rows.map(views(request).file)
    const selfOf = (request: FastifyRequest) =>
      self(originOf(request) + (request.url.split('?', 1)[0] as string))
    const requireFile = ({ actor }: FastifyRequest, uuid: string): Promise<FileRow> =>
      visibleFile(ctx.db, actor, uses, uuid)

    drive.get(
      '/v1.0/files',
      { schema: { querystring: FileQuery, response: { 200: FileList } } },
      async (request) => {
        const { actor, query } = request
        const page = pageOf(query)
        const seen = await visibleFilesCondition(ctx.db, actor, uses)
        const walk = { page, after: positionOf(query), seen }
        const { files, next } = await listFiles(ctx.db, actor.account_id, query as FilesAsked, walk)
        return {
          _count: files.length,
          ...keysetPage(request, page, next),
          _embedded: { files: listed(request, files) },
        }
      },
    )
    drive.get('/v1.0/files/:uuid', { schema: { params: ByUuid, response: { 200: File } } }, async (request) =>
      views(request).file(await requireFile(request, request.params.uuid)),
    )
    drive.patch(
      '/v1.0/files/:uuid',
      { schema: { params: ByUuid, body: FilePatch, response: { 200: File } } },
      async (request) => {
        const { actor, params, body } = request
        return views(request).file(await changeFile(ctx, actor, uses, params.uuid, body))
      },
    )
    drive.delete('/v1.0/files', { schema: { body: NamedFiles } }, async ({ actor, body }, reply) => {
      requirePermission(actor, 'files_delete')
      await trashFiles(ctx, actor, uses, body)
      return reply.code(204).send()
    })
    drive.post(
      '/v1.0/files/restore',
      { schema: { body: NamedFiles, response: { 200: Files } } },
      async (request) => {
        requirePermission(request.actor, 'files_delete')
        const files = await restoreFiles(ctx, request.actor, uses, request.body)
        return {
          _count: files.length,
          _links: selfOf(request),
          _embedded: { files: listed(request, files) },
        }
      },
    )
    drive.get(
      '/v1.0/files/:uuid/versions',
      { schema: { params: ByUuid, response: { 200: FileVersions } } },
      async (request) => {
        const file = await requireFile(request, request.params.uuid)
        const rows = await findVersions(ctx.db, file.account_id, file.uuid)
        const show = views(request).version
        return {
          _count: rows.length,
          _links: selfOf(request),
          _embedded: { versions: rows.map((row) => show(row, file)) },
        }
      },
    )
    drive.get(
      '/v1.0/files/:uuid/versions/:version_uuid',
      { schema: { params: ByVersion, response: { 200: FileVersion } } },
      async (request) => {
        const { uuid, version_uuid } = request.params
        const file = await requireFile(request, uuid)
        const at = { account_id: file.account_id, file_uuid: uuid, uuid: version_uuid }
        const version = await findVersion(ctx.db, at)
        if (!version) throw noFile()
        return views(request).version(version, file)
      },
    )
  }
}
