import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { answerEmptyLists } from '../http/bodies/empty-lists.ts'
import { self } from '../http/hal.ts'
import { mount } from '../http/mount.ts'
import type { RequestOf } from '../http/operation.ts'
import { baseOf, keysetPage, originOf, pageOf, positionOf } from '../http/queries/paging.ts'
import { anyText, ids, one, orders, spans } from '../http/queries/query-parameters.ts'
import { changeFile, restoreFiles, trashFiles } from './changes.ts'
import { datePresets } from './date-presets.ts'
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
import { type FileLinks, fileView, linksOf, versionView } from './views.ts'

const fileParameters = [
  ...anyText('uuid'),
  ...one(
    'filter[name]',
    { type: 'string' },
    'The name of the file, with or without its extension, in any case.',
  ),
  ...one('filter[term]', { type: 'string' }, 'A part of the name, in any case.'),
  ...anyText('extensions'),
  ...ids('created_by', 'updated_by'),
  ...spans('size', 'date'),
  ...one('filter[size][unit]', { type: 'integer' }, 'The number of bytes in a unit of the size.'),
  ...one(
    'filter[date][type]',
    { type: 'string', enum: ['created_at', 'updated_at'] },
    'The member that the filter of the date is about.',
  ),
  ...one(
    'filter[date][date_preset]',
    { type: 'string', enum: datePresets },
    'A period in the time zone of the account.',
  ),
  ...one(
    'filter[deleted]',
    { type: 'boolean' },
    'The files in the trash instead. An empty value counts as true.',
  ),
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
  listVersions: {
    operationId: 'file.versions.list',
    summary: 'Lists the versions of one file.',
    returns: 'The versions.',
    tags: ['Files'],
    params: ByUuid,
    response: { 200: FileVersions },
  },
  getVersion: {
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
    answerEmptyLists(drive)
    await mount(drive, fileRoutes(ctx, uses))
    await mount(drive, uploadRoutes(ctx, uses))
    await mount(drive, downloadRoutes(ctx, uses))
  }
}

function fileRoutes(ctx: Context, uses: FileUses): FastifyPluginAsyncTypebox {
  return async (drive) => {
    const base = baseOf(drive)
    const links = (request: FastifyRequest) =>
      linksOf(ctx, { origin: originOf(request), base: base(request) })

    drive.get('/v1.0/files', { schema: operations.list }, (request) =>
      list(ctx, uses, request, links(request)),
    )
    drive.get('/v1.0/files/:uuid', { schema: operations.get }, async (request) =>
      fileView(await visibleFile(ctx.db, request.actor, uses, request.params.uuid), links(request)),
    )
    drive.patch('/v1.0/files/:uuid', { schema: operations.update }, async (request) => {
      const { actor, params, body } = request
      return fileView(await changeFile(ctx, actor, uses, params.uuid, body), links(request))
    })
    drive.delete('/v1.0/files', { schema: operations.deleteMany }, async ({ actor, body }, reply) => {
      requirePermission(actor, 'files_delete')
      await trashFiles(ctx, actor, uses, body)
      return reply.code(204).send()
    })
    drive.post('/v1.0/files/restore', { schema: operations.restoreMany }, (request) =>
      restoreMany(ctx, uses, request, links(request)),
    )
    drive.get('/v1.0/files/:uuid/versions', { schema: operations.listVersions }, (request) =>
      listVersions(ctx, uses, request, links(request)),
    )
    drive.get('/v1.0/files/:uuid/versions/:version_uuid', { schema: operations.getVersion }, (request) =>
      getVersion(ctx, uses, request, links(request)),
    )
  }
}

async function list(
  ctx: Context,
  uses: FileUses,
  request: RequestOf<typeof operations.list>,
  links: FileLinks,
) {
  const { actor, query } = request
  const page = pageOf(query)
  const seen = await visibleFilesCondition(ctx.db, actor, uses)
  const walk = { page, after: positionOf(query), seen }
  const asking = { db: ctx.db, account_id: actor.account_id, now: ctx.now() }
  const { files, next } = await listFiles(asking, query as FilesAsked, walk)
  return {
    _count: files.length,
    ...keysetPage(request, page, next),
    _embedded: { files: files.map((file) => fileView(file, links)) },
  }
}

async function restoreMany(
  ctx: Context,
  uses: FileUses,
  request: RequestOf<typeof operations.restoreMany>,
  links: FileLinks,
) {
  requirePermission(request.actor, 'files_delete')
  const files = await restoreFiles(ctx, request.actor, uses, request.body)
  return {
    _count: files.length,
    _links: selfOf(request),
    _embedded: { files: files.map((file) => fileView(file, links)) },
  }
}

async function listVersions(
  ctx: Context,
  uses: FileUses,
  request: RequestOf<typeof operations.listVersions>,
  links: FileLinks,
) {
  const file = await visibleFile(ctx.db, request.actor, uses, request.params.uuid)
  const rows = await findVersions(ctx.db, file.account_id, file.uuid)
  const versions = rows.map((row) => versionView(row, file, links))
  return { _count: rows.length, _links: selfOf(request), _embedded: { versions } }
}

async function getVersion(
  ctx: Context,
  uses: FileUses,
  { actor, params }: RequestOf<typeof operations.getVersion>,
  links: FileLinks,
) {
  const { uuid, version_uuid } = params
  const file = await visibleFile(ctx.db, actor, uses, uuid)
  const at = { account_id: file.account_id, file_uuid: uuid, uuid: version_uuid }
  const version = await findVersion(ctx.db, at)
  if (!version) throw fileNotFound()
  return versionView(version, file, links)
}

const selfOf = (request: FastifyRequest) => self(originOf(request) + (request.url.split('?', 1)[0] as string))
