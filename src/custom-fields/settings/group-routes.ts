import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Context } from '../../context.ts'
import { ListOf, self, wholeList, withRequestIds } from '../../http/hal.ts'
import { mount } from '../../http/mount.ts'
import { baseOf } from '../../http/queries/paging.ts'
import type { FieldOwner } from '../fields/fields.ts'
import { FieldGroup, FieldGroupPatch, NewFieldGroup } from '../fields/schemas.ts'
import type { FieldHooks } from './field-changes.ts'
import {
  addGroups,
  changeGroup,
  type Group,
  type GroupsAsked,
  isPredefined,
  readGroup,
  readGroups,
  removeGroup,
} from './groups.ts'
import { collectionOf, type Place, pathOf, places } from './operations.ts'

const catalog_id = Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }))
const InCollection = Type.Object({ catalog_id })
const ById = Type.Object({ catalog_id, id: Type.String({ maxLength: 255 }) })
const Groups = ListOf('custom_field_groups', FieldGroup)

/** Segments have no cards with tabs. */
const placesWithGroups = places.filter(({ owner }) => owner !== 'segments')

/** The operations on the groups of one place. */
const operationsOf = ({ id, of }: Place) => ({
  list: {
    operationId: `${id}.custom_fields.groups.list`,
    summary: `Lists the groups of fields on the cards of ${of}.`,
    returns: 'The groups of fields.',
    tags: ['Fields'],
    params: InCollection,
    response: { 200: Groups },
  },
  get: {
    operationId: `${id}.custom_fields.groups.get`,
    summary: `Shows one group of fields of ${of}.`,
    returns: 'The group of fields.',
    tags: ['Fields'],
    params: ById,
    response: { 200: FieldGroup },
  },
  create: {
    operationId: `${id}.custom_fields.groups.create`,
    summary: `Adds groups of fields to the cards of ${of}.`,
    returns: 'The new groups of fields.',
    tags: ['Fields'],
    params: InCollection,
    body: Type.Array(NewFieldGroup, { minItems: 1, maxItems: 250 }),
    response: { 201: Groups },
  },
  update: {
    operationId: `${id}.custom_fields.groups.update`,
    summary: `Changes one group of fields of ${of}.`,
    returns: 'The group of fields after the change.',
    tags: ['Fields'],
    params: ById,
    body: FieldGroupPatch,
    response: { 200: FieldGroup },
  },
  remove: {
    operationId: `${id}.custom_fields.groups.delete`,
    summary: `Deletes one group of fields of ${of}.`,
    returns: 'The group of fields was deleted.',
    tags: ['Fields'],
    params: ById,
  },
})

/** `/{leads|contacts|companies|customers|catalogs/{id}}/custom_fields/groups`. */
export function groupRoutes(ctx: Context, hooks: FieldHooks): FastifyPluginAsyncTypebox {
  return async (v4) => {
    for (const place of placesWithGroups) await mount(v4, groupRoutesOf(ctx, hooks, place))
  }
}

function groupView(group: Group, owner: FieldOwner, address: string): FieldGroup {
  return {
    id: group.id,
    name: group.name,
    is_predefined: isPredefined(group.id),
    type: 'custom_field_group',
    entity_type: owner,
    sort: group.sort,
    fields: group.fields,
    _links: self(`${address}/${group.id}`),
  }
}

function groupRoutesOf(ctx: Context, hooks: FieldHooks, place: Place): FastifyPluginAsyncTypebox {
  return async (v4) => {
    const base = baseOf(v4)
    const path = `${place.path}/custom_fields/groups`
    const operations = operationsOf(place)
    type Request = FastifyRequest & { params: { catalog_id?: number } }
    const askedBy = ({ actor, params }: Request): GroupsAsked => ({
      hooks,
      actor,
      collection: collectionOf(place, params),
    })
    const addressOf = (request: Request) =>
      `${base(request)}${pathOf(place, request.params)}/custom_fields/groups`
    const view = (group: Group, request: Request) => groupView(group, place.owner, addressOf(request))

    v4.get(path, { schema: operations.list }, async (request) => {
      const groups = await readGroups(ctx, askedBy(request))
      const views = groups.map((group) => view(group, request))
      return wholeList('custom_field_groups', views, addressOf(request))
    })
    v4.get(`${path}/:id`, { schema: operations.get }, async (request) =>
      view(await readGroup(ctx, askedBy(request), request.params.id), request),
    )
    v4.post(path, { schema: operations.create }, async (request, reply) => {
      const added = await addGroups(ctx, askedBy(request), request.body)
      const views = withRequestIds(
        added.map((group) => view(group, request)),
        request.body,
      )
      return reply.code(201).send(wholeList('custom_field_groups', views, addressOf(request)))
    })
    v4.patch(`${path}/:id`, { schema: operations.update }, async (request) => {
      const { params, body } = request
      return view(await changeGroup(ctx, askedBy(request), params.id, body), request)
    })
    v4.delete(`${path}/:id`, { schema: operations.remove }, async (request, reply) => {
      await removeGroup(ctx, askedBy(request), request.params.id)
      return reply.code(204).send()
    })
  }
}
