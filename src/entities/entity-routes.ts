import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { type TSchema, Type } from 'typebox'
import { requirePaid } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import { findFields } from '../custom-fields/custom-fields.ts'
import type { EntityRow } from '../db/tables.ts'
import { type QueryValue, withNames } from '../http/bracket-query.ts'
import { Nothing } from '../http/empty-lists.ts'
import { Format, formOf } from '../http/forms.ts'
import { Self, self } from '../http/hal.ts'
import { baseOf, KeysetList, KeysetPaged, keysetPage, pageOf, valuePositionOf } from '../http/paging.ts'
import { conditional, expectedVersions, setETag } from '../http/preconditions.ts'
import { withAny } from '../http/query-parameters.ts'
import { type Access, loadAccess } from './access.ts'
import type { ListQuery } from './conditions.ts'
import {
  BATCH_BODY,
  batchOf,
  drafts,
  patches,
  type RecordDraft,
  type RecordPatch,
  WithId,
} from './draft-schemas.ts'
import { type CardType, entityTypes } from './entity-types.ts'
import { sendRecords } from './export-routes.ts'
import type { RecordHooks } from './hooks.ts'
import { listEntities } from './list.ts'
import { listedCards } from './list-parameters.ts'
import { Company, Contact, Customer, Lead } from './record-schemas.ts'
import { findRecord } from './records.ts'
import { showRecords } from './show.ts'
import { moveToTrash, restore } from './trash.ts'
import { shownVersion } from './versions.ts'
import { type RecordView, type WithName, withNamesOf } from './views.ts'
import { addEntities, editEntities, editRecord } from './write.ts'

const shown = { leads: Lead, contacts: Contact, companies: Company, customers: Customer } as const

const ListedQuery = Type.Object({ ...KeysetPaged.properties, format: Format })
const ById = Type.Object({ id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }) })
const RequestId = Type.Union([Type.String(), Type.Integer()])
const Added = Type.Object(
  { id: Type.Integer(), request_id: RequestId, _links: Self },
  { title: 'AddedRecord' },
)
const Edited = Type.Object(
  {
    id: Type.Integer(),
    name: Type.Optional(Type.String()),
    updated_at: Type.Integer(),
    request_id: RequestId,
    _links: Self,
  },
  { title: 'EditedRecord' },
)
const answerOf = (type: CardType, verb: 'Added' | 'Edited', item: TSchema) =>
  Type.Object(
    { _links: Self, _embedded: Type.Object({ [type]: Type.Array(item) }) },
    { title: `${verb}${entityTypes[type].tags[0]}` },
  )

/** Kinds whose edit response includes the name. */
const named: readonly CardType[] = ['contacts', 'companies']

/** The operations of one kind, as the API description shows them. */
const operationsOf = (type: CardType, { singular: one, tags } = entityTypes[type]) => ({
  list: {
    operationId: `${type}.list`,
    summary: `Lists ${type}, filtered, searched and sorted, one page at a time, or exports them.`,
    returns: `One page of ${type}.`,
    tags,
    ...listedCards(type),
    querystring: ListedQuery,
    response: { 200: KeysetList(type, shown[type]) },
  },
  get: {
    operationId: `${type}.get`,
    summary: `Shows one ${one}.`,
    returns: `The ${one}.`,
    tags,
    parameters: withAny(...withNamesOf[type]),
    params: ById,
    response: { 200: shown[type], 204: Nothing },
  },
  create: {
    operationId: `${type}.create`,
    summary: `Adds ${type}, all of the batch or none.`,
    returns: `The ids of the new ${type}.`,
    tags,
    body: Type.Array(drafts[type], batchOf),
    response: { 200: answerOf(type, 'Added', Added) },
  },
  updateMany: {
    operationId: `${type}.update_many`,
    summary: `Changes ${type}, all of the batch or none.`,
    returns: `The ids of the changed ${type}.`,
    tags,
    body: Type.Array(Type.Intersect([patches[type], WithId]), batchOf),
    response: { 200: answerOf(type, 'Edited', Edited) },
  },
  update: {
    operationId: `${type}.update`,
    summary: `Changes one ${one}.`,
    returns: `The id of the changed ${one}.`,
    tags,
    ...conditional,
    params: ById,
    body: patches[type],
    response: { 200: Edited },
  },
  remove: {
    operationId: `${type}.delete`,
    summary: `Moves one ${one} to the trash.`,
    returns: `The ${one} is in the trash.`,
    tags,
    params: ById,
  },
  deleteMany: {
    operationId: `${type}.delete_many`,
    summary: `Moves ${type} to the trash, all of the batch or none.`,
    returns: `The ${type} are in the trash.`,
    tags,
    body: Type.Array(Type.Object({ ...WithId.properties, request_id: Type.Optional(RequestId) }), batchOf),
  },
  restore: {
    operationId: `${type}.restore`,
    summary: `Takes one ${one} out of the trash.`,
    returns: `The id of the restored ${one}.`,
    tags,
    params: ById,
    response: { 200: Edited },
  },
})

/** `/leads`, `/contacts`, `/companies`, `/customers`: the same endpoints for each kind of card. */
export function entityRoutes(
  ctx: Context,
  type: CardType,
  { written }: RecordHooks,
): FastifyPluginAsyncTypebox {
  return async (v4) => {
    const base = baseOf(v4)
    const operations = operationsOf(type)
    const send = sendRecords(ctx, v4)
    const linkOf = (request: FastifyRequest, id: number) => self(`${base(request)}/${type}/${id}`)
    const showing = (request: FastifyRequest) => ({
      base: base(request),
      with: withNames((request.query as { with?: QueryValue }).with, withNamesOf[type]) as Set<WithName>,
    })
    const edited = (request: FastifyRequest, row: EntityRow, request_id: string | number) => ({
      id: row.id,
      ...(named.includes(type) && { name: row.name }),
      updated_at: row.updated_at,
      request_id,
      _links: linkOf(request, row.id),
    })
    const collection = (request: FastifyRequest, items: unknown[]) => ({
      _links: self(`${base(request)}/${type}`),
      _embedded: { [type]: items },
    })

    v4.get(`/${type}`, { schema: operations.list }, async (request, reply) => {
      requirePaid(ctx, request.actor)
      const query = request.query as ListQuery
      const form = formOf(request)
      const isPaid = ({ actor }: Access) => requirePaid(ctx, actor)
      if (form) return send(request, reply, { ...showing(request), type, form, query }, isPaid) as never
      const access = await loadAccess(ctx.db, request.actor)
      const page = pageOf(request.query)
      const options = { ...showing(request), page, after: valuePositionOf(request.query) }
      const { records, next } = await listEntities(ctx.db, access, type, query, options)
      return { ...keysetPage(request, page, next), _embedded: { [type]: records } } as never
    })
    v4.get(`/${type}/:id`, { schema: operations.get }, async (request, reply) => {
      requirePaid(ctx, request.actor)
      const access = await loadAccess(ctx.db, request.actor)
      const asked = showing(request)
      const row = await findRecord(ctx.db, access, type, request.params.id, asked.with.has('only_deleted'))
      if (!row) return reply.code(204).send(null)
      const fields = await findFields(ctx.db, access.actor.account_id, entityTypes[type].fields)
      const [record] = await showRecords(ctx.db, access, type, [row], fields, asked)
      setETag(reply, shownVersion(row, record as RecordView))
      return record as never
    })
    v4.post(
      `/${type}`,
      {
        bodyLimit: BATCH_BODY,
        schema: operations.create,
      },
      async (request) => {
        const body = request.body as RecordDraft[]
        const rows = await addEntities(ctx, request.actor, type, body, { written })
        const items = rows.map((row, i) => ({
          id: row.id,
          request_id: body[i]?.request_id ?? String(i),
          _links: linkOf(request, row.id),
        }))
        return collection(request, items) as never
      },
    )
    v4.patch(
      `/${type}`,
      {
        bodyLimit: BATCH_BODY,
        schema: operations.updateMany,
      },
      async (request) => {
        const body = request.body as RecordPatch[]
        const rows = await editEntities(ctx, request.actor, type, body, 'item', { written })
        const items = rows.map((row, i) => edited(request, row, body[i]?.request_id ?? String(i)))
        return collection(request, items) as never
      },
    )
    v4.patch(`/${type}/:id`, { bodyLimit: BATCH_BODY, schema: operations.update }, async (request, reply) => {
      const patch = { ...(request.body as RecordDraft), id: request.params.id }
      const expected = expectedVersions(request)
      const { row, version } = await editRecord(ctx, request.actor, type, patch, expected, { written })
      setETag(reply, version)
      return edited(request, row, patch.request_id ?? '0')
    })
    // The trash is ours (V8): the platform's v4 cannot delete records.
    v4.delete(`/${type}/:id`, { schema: operations.remove }, async (request, reply) => {
      await moveToTrash(ctx, request.actor, type, [{ id: request.params.id }], 'path')
      return reply.code(204).send()
    })
    v4.delete(
      `/${type}`,
      {
        schema: operations.deleteMany,
      },
      async (request, reply) => {
        await moveToTrash(ctx, request.actor, type, request.body, 'item')
        return reply.code(204).send()
      },
    )
    v4.post(`/${type}/:id/restore`, { schema: operations.restore }, async (request) => {
      const row = await restore(ctx, request.actor, type, request.params.id)
      return edited(request, row, '0')
    })
  }
}
