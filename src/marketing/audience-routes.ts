import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Context } from '../context.ts'
import type { AudienceRow } from '../db/tables.ts'
import { batchOf, RequestId } from '../entities/records/draft-schemas.ts'
import { cardTypes, entityTypes } from '../entities/records/entity-types.ts'
import { ListOf, Self, self, wholeList, withRequestIds } from '../http/hal.ts'
import { mount } from '../http/mount.ts'
import { baseOf, CountedList, countedPage, Paged, pageOf } from '../http/queries/paging.ts'
import {
  type AudienceOfRecord,
  listAudiencesOf,
  putIntoAudience,
  takeOutOfAudience,
} from './audience-members.ts'
import { addAudiences, changeAudience, listAudiences, readAudience, removeAudience } from './audiences.ts'

const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
const ById = Type.Object({ id: Id })
const written = {
  name: Type.String({ minLength: 1, maxLength: 255 }),
  /** The advertising network, under a name that the account chooses. */
  service: Type.String({ minLength: 1, maxLength: 64 }),
}
const NewAudience = Type.Object({ ...written, request_id: RequestId })
const shown = {
  id: Type.Integer(),
  name: Type.String(),
  service: Type.String(),
  created_by: Type.Integer(),
  created_at: Type.Integer(),
  account_id: Type.Integer(),
}
const Audience = Type.Object({ ...shown, request_id: RequestId, _links: Self }, { title: 'Audience' })
const Membership = Type.Object(
  { ...shown, added_at: Type.Integer({ description: 'Unix seconds.' }), _links: Self },
  { title: 'AudienceOfRecord' },
)

const operations = {
  list: {
    operationId: 'audiences.list',
    summary: 'Lists the advertising audiences.',
    returns: 'One page of audiences.',
    tags: ['Marketing'],
    querystring: Paged,
    response: { 200: CountedList('audiences', Audience) },
  },
  get: {
    operationId: 'audiences.get',
    summary: 'Shows one advertising audience.',
    returns: 'The audience.',
    tags: ['Marketing'],
    params: ById,
    response: { 200: Audience },
  },
  create: {
    operationId: 'audiences.create',
    summary: 'Adds advertising audiences.',
    returns: 'The new audiences.',
    tags: ['Marketing'],
    body: Type.Array(NewAudience, batchOf),
    response: { 200: ListOf('audiences', Audience) },
  },
  update: {
    operationId: 'audiences.update',
    summary: 'Changes one advertising audience.',
    returns: 'The audience after the change.',
    tags: ['Marketing'],
    params: ById,
    body: Type.Partial(Type.Object(written)),
    response: { 200: Audience },
  },
  remove: {
    operationId: 'audiences.delete',
    summary: 'Deletes one advertising audience.',
    returns: 'The audience was deleted.',
    tags: ['Marketing'],
    params: ById,
  },
}

/** The operations on the audiences of one kind of record. */
const memberOperationsOf = (one: string) => ({
  list: {
    operationId: `${one}.audiences.list`,
    summary: `Lists the advertising audiences that contain one ${one}.`,
    returns: 'The audiences.',
    tags: ['Marketing'],
    params: ById,
    response: { 200: ListOf('audiences', Membership) },
  },
  add: {
    operationId: `${one}.audiences.add`,
    summary: `Adds one ${one} to an advertising audience.`,
    returns: 'The audience.',
    tags: ['Marketing'],
    params: ById,
    body: Type.Object({ audience_id: Id }, { title: 'NamedAudience' }),
    response: { 200: Membership },
  },
  remove: {
    operationId: `${one}.audiences.remove`,
    summary: `Removes one ${one} from an advertising audience.`,
    returns: `The ${one} was removed.`,
    tags: ['Marketing'],
    params: Type.Object({ id: Id, audience_id: Id }),
  },
})

/** Advertising audiences. These operations are ours. The platform's log has their events. */
export function audienceRoutes(ctx: Context): FastifyPluginAsyncTypebox {
  return async (v4) => {
    await mount(v4, listRoutes(ctx))
    await mount(v4, memberRoutes(ctx))
  }
}

const viewIn = (base: string) => (row: AudienceRow) => ({
  id: row.id,
  name: row.name,
  service: row.service,
  created_by: row.created_by,
  created_at: row.created_at,
  account_id: row.account_id,
  _links: self(`${base}/audiences/${row.id}`),
})

function listRoutes(ctx: Context): FastifyPluginAsyncTypebox {
  return async (v4) => {
    const base = baseOf(v4)

    v4.get('/audiences', { schema: operations.list }, async (request) => {
      const page = pageOf(request.query)
      const rows = await listAudiences(ctx, request.actor)
      const audiences = rows.slice(page.offset, page.offset + page.limit).map(viewIn(base(request)))
      return { ...countedPage(request, page, rows.length), _embedded: { audiences } }
    })
    v4.get('/audiences/:id', { schema: operations.get }, async (request) =>
      viewIn(base(request))(await readAudience(ctx, request.actor, request.params.id)),
    )
    v4.post('/audiences', { schema: operations.create }, async (request) => {
      const added = await addAudiences(ctx, request.actor, request.body)
      const audiences = added.map(viewIn(base(request)))
      return wholeList('audiences', withRequestIds(audiences, request.body), `${base(request)}/audiences`)
    })
    v4.patch('/audiences/:id', { schema: operations.update }, async (request) => {
      const { actor, params, body } = request
      return viewIn(base(request))(await changeAudience(ctx, actor, params.id, body))
    })
    v4.delete('/audiences/:id', { schema: operations.remove }, async ({ actor, params }, reply) => {
      await removeAudience(ctx, actor, params.id)
      return reply.code(204).send()
    })
  }
}

/** `/{kind}/{id}/audiences`: the audiences of a record. */
function memberRoutes(ctx: Context): FastifyPluginAsyncTypebox {
  return async (v4) => {
    const base = baseOf(v4)
    const view = (address: string) => (row: AudienceOfRecord) => ({
      ...viewIn(address)(row),
      added_at: row.added_at,
    })
    for (const type of cardTypes) {
      const of = `/${type}/:id/audiences`
      const operations = memberOperationsOf(entityTypes[type].singular)
      v4.get(of, { schema: operations.list }, async (request) => {
        const { id } = request.params
        const rows = await listAudiencesOf(ctx, request.actor, type, id)
        return wholeList(
          'audiences',
          rows.map(view(base(request))),
          `${base(request)}/${type}/${id}/audiences`,
        )
      })
      v4.post(of, { schema: operations.add }, async (request) => {
        const { actor, params, body } = request
        return view(base(request))(await putIntoAudience(ctx, actor, type, params.id, body.audience_id))
      })
      v4.delete(`${of}/:audience_id`, { schema: operations.remove }, async ({ actor, params }, reply) => {
        await takeOutOfAudience(ctx, actor, type, params.id, params.audience_id)
        return reply.code(204).send()
      })
    }
  }
}
