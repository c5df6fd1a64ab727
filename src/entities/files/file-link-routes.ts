import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { requirePaid } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import type { FileUses } from '../../drive/drive.ts'
import type { StoredEntity } from '../records/queries.ts'
import { listFileLinks } from './file-links.ts'

const orNull = <T extends ReturnType<typeof Type.Integer>>(schema: T) => Type.Union([schema, Type.Null()])

/** A record that has a file, with the platform's older names. */
const FileHolder = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    created_by: Type.Integer(),
    main_user_id: Type.Integer({ description: 'The responsible user.' }),
    date_create: Type.Integer(),
    date_update: Type.Integer(),
    updated_by: Type.Integer(),
    entity_type: Type.String(),
    price: Type.Optional(Type.Integer({ description: 'Of a lead.' })),
    pipeline_id: Type.Optional(Type.Integer({ description: 'Of a lead.' })),
    status_id: Type.Optional(Type.Integer({ description: 'Of a lead or a customer.' })),
    catalog_id: Type.Optional(Type.Integer({ description: 'Of a list element.' })),
    closest_task_at: orNull(Type.Integer()),
  },
  { title: 'FileHolder' },
)

const operations = {
  list: {
    operationId: 'file.links.list',
    summary: 'Lists the records that have one file, as an attachment or in a field.',
    returns: 'At most 250 visible records, newest first.',
    tags: ['Notes'],
    params: Type.Object({ file_uuid: Type.String({ minLength: 1, maxLength: 64 }) }),
    response: {
      200: Type.Object(
        { file_uuid: Type.String(), entities: Type.Array(FileHolder) },
        { title: 'FileLinks' },
      ),
    },
  },
}

/** `/files/{uuid}/links`. The file service is at another address. */
export function fileLinkRoutes(ctx: Context, uses: FileUses): FastifyPluginAsyncTypebox {
  return async (v4) => {
    v4.get('/files/:file_uuid/links', { schema: operations.list }, async ({ actor, params }) => {
      requirePaid(ctx, actor)
      const { file_uuid, rows } = await listFileLinks(ctx.db, actor, uses, params.file_uuid)
      return { file_uuid, entities: rows.map(holderOf) }
    })
  }
}

const holderOf = (row: StoredEntity) => ({
  id: row.id,
  name: row.name,
  created_by: row.created_by,
  main_user_id: row.responsible_user_id,
  date_create: row.created_at,
  date_update: row.updated_at,
  updated_by: row.updated_by,
  entity_type: row.entity_type,
  ...(row.price !== null && { price: row.price }),
  ...(row.pipeline_id !== null && { pipeline_id: row.pipeline_id }),
  ...(row.status_id !== null && { status_id: row.status_id }),
  ...(row.catalog_id !== null && { catalog_id: row.catalog_id }),
  closest_task_at: row.closest_task_at,
})
