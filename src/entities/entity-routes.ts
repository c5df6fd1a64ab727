import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { actingOf, requirePaid, withActing } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import { findFields } from '../custom-fields/custom-fields.ts'
import type { EntityRow } from '../db/tables.ts'
import { formOf } from '../http/bodies/forms.ts'
import { answersTexts, asText } from '../http/bodies/json-text.ts'
import { self } from '../http/hal.ts'
import type { RequestOf } from '../http/operation.ts'
import { expectedVersions, setETag } from '../http/preconditions.ts'
import { type QueryValue, withNames } from '../http/queries/bracket-query.ts'
import { baseOf, keysetPage, pageOf, valuePositionOf } from '../http/queries/paging.ts'
import { cardOperations, trashOperations } from './entity-operations.ts'
import { sendRecords } from './export/export-routes.ts'
import type { ListQuery } from './lists/conditions.ts'
import { listEntities } from './lists/list.ts'
import { recordTexts, showRecord } from './lists/show.ts'
import { type Access, loadAccess } from './records/access.ts'
import { BATCH_BODY, type RecordDraft, type RecordPatch } from './records/draft-schemas.ts'
import { type CardType, entityTypes } from './records/entity-types.ts'
import { findRecord } from './records/records.ts'
import { type WithName, withNamesOf } from './records/views.ts'
import type { RecordHooks } from './writing/hooks.ts'
import { moveToTrash, restore } from './writing/trash.ts'
import { addEntities, editEntities, editRecord } from './writing/write.ts'

/** The records of one kind, as one surface serves them. */
interface CardResource extends Pick<RecordHooks, 'written' | 'sources'> {
  ctx: Context
  type: CardType
  base: (request: FastifyRequest) => string
}

type Operations = ReturnType<typeof cardOperations>

/** `/leads`, `/contacts`, `/companies`, `/customers`: the same endpoints for each kind of card. */
export function entityRoutes(
  ctx: Context,
  type: CardType,
  { written, sources }: RecordHooks,
): FastifyPluginAsyncTypebox {
  return async (v4) => {
    const resource: CardResource = { ctx, type, written, sources, base: baseOf(v4) }
    const operations = { ...cardOperations(type), ...trashOperations(type) }
    const send = sendRecords(ctx, v4)
    const isPaid = ({ actor }: Access) => requirePaid(ctx, actor)

    v4.get(`/${type}`, { schema: operations.list }, async (request, reply) => {
      requirePaid(ctx, request.actor)
      const form = formOf(request)
      if (!form) return list(resource, request, reply)
      const query = await withActing(ctx, request.query as ListQuery)
      const file = { ...showing(resource, request), type, form, query }
      return send(request, reply, file, isPaid) as never
    })
    v4.get(`/${type}/:id`, { schema: operations.get }, (request, reply) => get(resource, request, reply))
    v4.post(`/${type}`, { bodyLimit: BATCH_BODY, schema: operations.create }, (request) =>
      create(resource, request),
    )
    v4.patch(`/${type}`, { bodyLimit: BATCH_BODY, schema: operations.updateMany }, (request) =>
      updateMany(resource, request),
    )
    v4.patch(`/${type}/:id`, { bodyLimit: BATCH_BODY, schema: operations.update }, (request, reply) =>
      update(resource, request, reply),
    )
    v4.delete(`/${type}/:id`, { schema: operations.remove }, async ({ actor, params }, reply) => {
      await moveToTrash(ctx, actor, type, [params], 'path')
      return reply.code(204).send()
    })
    v4.delete(`/${type}`, { schema: operations.deleteMany }, async ({ actor, body }, reply) => {
      await moveToTrash(ctx, actor, type, body, 'item')
      return reply.code(204).send()
    })
    v4.post(`/${type}/:id/restore`, { schema: operations.restore }, async (request) => {
      const row = await restore(ctx, request.actor, type, request.params.id)
      return edited(resource, request, row, '0')
    })
  }
}

async function list(resource: CardResource, request: RequestOf<Operations['list']>, reply: FastifyReply) {
  const { ctx, type } = resource
  const access = await loadAccess(ctx.db, request.actor)
  const page = pageOf(request.query)
  const options = { ...showing(resource, request), page, after: valuePositionOf(request.query) }
  const query = await withActing(ctx, request.query as ListQuery)
  const { records, next } = await listEntities({ db: ctx.db, access, type }, query, options, recordTexts)
  answersTexts(reply)
  return { ...keysetPage(request, page, next), _embedded: { [type]: records } } as never
}

async function get(resource: CardResource, request: RequestOf<Operations['get']>, reply: FastifyReply) {
  const { ctx, type } = resource
  requirePaid(ctx, request.actor)
  const access = await loadAccess(ctx.db, request.actor)
  const options = showing(resource, request)
  const row = await findRecord(ctx.db, access, type, request.params.id, options.with.has('only_deleted'))
  if (!row) return reply.code(204).send(null) as never
  const fields = await findFields(ctx.db, access.actor.account_id, entityTypes[type].fields)
  const { text, version } = await showRecord(ctx.db, access, row, fields, options)
  setETag(reply, version)
  return asText(reply, text) as never
}

async function create(resource: CardResource, request: RequestOf<Operations['create']>) {
  const { ctx, type, written, sources } = resource
  const body = request.body as RecordDraft[]
  const rows = await addEntities(ctx, request.actor, type, body, { written, sources })
  const items = rows.map((row, i) => ({
    id: row.id,
    request_id: body[i]?.request_id ?? String(i),
    _links: linkOf(resource, request, row.id),
  }))
  return collection(resource, request, items)
}

async function updateMany(resource: CardResource, request: RequestOf<Operations['updateMany']>) {
  const { ctx, type, written } = resource
  const body = request.body as RecordPatch[]
  const rows = await editEntities(ctx, request.actor, type, body, 'item', { written })
  const items = rows.map((row, i) => edited(resource, request, row, body[i]?.request_id ?? String(i)))
  return collection(resource, request, items)
}

async function update(resource: CardResource, request: RequestOf<Operations['update']>, reply: FastifyReply) {
  const { ctx, type, written } = resource
  const patch = { ...(request.body as RecordDraft), id: request.params.id }
  const expected = expectedVersions(request)
  const { row, version } = await editRecord(ctx, request.actor, type, patch, expected, { written })
  setETag(reply, version)
  return edited(resource, request, row, patch.request_id ?? '0')
}

const showing = ({ ctx, type, base, sources }: CardResource, request: FastifyRequest) => ({
  base: base(request),
  sources: sources.byId,
  with: withNames((request.query as { with?: QueryValue }).with, withNamesOf[type]) as Set<WithName>,
  acting: actingOf(ctx, request),
})

const linkOf = ({ type, base }: CardResource, request: FastifyRequest, id: number) =>
  self(`${base(request)}/${type}/${id}`)

const collection = ({ type, base }: CardResource, request: FastifyRequest, items: unknown[]) =>
  ({ _links: self(`${base(request)}/${type}`), _embedded: { [type]: items } }) as never

/** Kinds whose edit response includes the name. */
const named: readonly CardType[] = ['contacts', 'companies']

const edited = (
  resource: CardResource,
  request: FastifyRequest,
  row: EntityRow,
  request_id: string | number,
) => ({
  id: row.id,
  ...(named.includes(resource.type) && { name: row.name }),
  updated_at: row.updated_at,
  request_id,
  _links: linkOf(resource, request, row.id),
})
