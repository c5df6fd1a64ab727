import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import type { FileRow } from '../db/tables.ts'
import { self } from '../http/hal.ts'
import { mount } from '../http/mount.ts'
import { baseOf, keysetPage, originOf, pageOf, positionOf } from '../http/paging.ts'
import { anyText, ids, one, orders, spans, texts } from '../http/query-parameters.ts'
import { changeFile, restoreFiles, trashFiles } from './changes.ts'
import { downloadRoutes } from './download-routes.ts'
import {
  type FileUses,
  fileNotFound,
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

const fileParameters = [
  ...anyText('uuid'),
  ...texts('name', 'term'),
  ...anyText('extensions'),
  ...ids('created_by', 'updated_by'),
  ...spans('size', 'date'),
  ...one('filter[size][unit]', { type: 'integer' }, 'The number of bytes in a unit of the size.'),
  ...one('filter[date][type]', { type: 'string', enum: ['created_at', 'updated_at'] }),
  ...one('filter[deleted]', { type: 'boolean' }, 'The files in the trash instead.'),
  ...orders('created_at', 'updated_at', 'size', 'id'),
]

const operations = {
  list: {
    operationId: 'files.list',
    summary: 'Lists the files of the account, filtered and sorted, one page at a time.',
    returns: 'One page of files.',
    tags: ['Files'],
    parameters: fileParameters,
    querystring: FileQuery,
    response: { 200: FileList },
  },
  get: {
    operationId: 'files.get',
    summary: 'Shows one file.',
    returns: 'The file without its content.',
    tags: ['Files'],
    params: ByUuid,
    response: { 200: File },
  },
  update: {
    operationId: 'files.update',
    summary: 'Renames one file, or activates another version of it.',
    returns: 'The file after the change.',
    tags: ['Files'],
    params: ByUuid,
    body: FilePatch,
    response: { 200: File },
  },
  deleteMany: {
    operationId: 'files.delete_many',
    summary: 'Moves files to the trash, all of them or none.',
    returns: 'The files are in the trash.',
    tags: ['Files'],
    body: NamedFiles,
  },
  restoreMany: {
    operationId: 'files.restore_many',
    summary: 'Takes files out of the trash, all of them or none.',
    returns: 'The restored files.',
    tags: ['Files'],
    body: NamedFiles,
    response: { 200: Files },
  },
  versionsList: {
    operationId: 'file.versions.list',
    summary: 'Lists the versions of one file.',
    returns: 'The versions.',
    tags: ['Files'],
    params: ByUuid,
    response: { 200: FileVersions },
  },
  versionsGet: {
    operationId: 'file.versions.get',
    summary: 'Shows one version of one file.',
    returns: 'The version.',
    tags: ['Files'],
    params: ByVersion,
    response: { 200: FileVersion },
  },
}

/** `/v1.0` of the file service. The surface authenticates the caller. */
export function driveRoutes(ctx: Context, uses: FileUses): FastifyPluginAsyncTypebox {
  return async (drive) => {
    drive.addHook('onSend', (_request, reply, _payload, done) => {
      // The platform's file service sends this without a charset, which Fastify would add.
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

    drive.get('/v1.0/files', { schema: operations.list }, async (request) => {
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
    })
    drive.get('/v1.0/files/:uuid', { schema: operations.get }, async (request) =>
      views(request).file(await requireFile(request, request.params.uuid)),
    )
    drive.patch('/v1.0/files/:uuid', { schema: operations.update }, async (request) => {
      const { actor, params, body } = request
      return views(request).file(await changeFile(ctx, actor, uses, params.uuid, body))
    })
    drive.delete('/v1.0/files', { schema: operations.deleteMany }, async ({ actor, body }, reply) => {
      requirePermission(actor, 'files_delete')
      await trashFiles(ctx, actor, uses, body)
      return reply.code(204).send()
    })
    drive.post('/v1.0/files/restore', { schema: operations.restoreMany }, async (request) => {
      requirePermission(request.actor, 'files_delete')
      const files = await restoreFiles(ctx, request.actor, uses, request.body)
      return {
        _count: files.length,
        _links: selfOf(request),
        _embedded: { files: listed(request, files) },
      }
    })
    drive.get('/v1.0/files/:uuid/versions', { schema: operations.versionsList }, async (request) => {
      const file = await requireFile(request, request.params.uuid)
      const rows = await findVersions(ctx.db, file.account_id, file.uuid)
      const show = views(request).version
      return {
        _count: rows.length,
        _links: selfOf(request),
        _embedded: { versions: rows.map((row) => show(row, file)) },
      }
    })
    drive.get(
      '/v1.0/files/:uuid/versions/:version_uuid',
      { schema: operations.versionsGet },
      async (request) => {
        const { uuid, version_uuid } = request.params
        const file = await requireFile(request, uuid)
        const at = { account_id: file.account_id, file_uuid: uuid, uuid: version_uuid }
        const version = await findVersion(ctx.db, at)
        if (!version) throw fileNotFound()
        return views(request).version(version, file)
      },
    )
  }
}
