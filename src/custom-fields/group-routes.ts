import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Context } from '../context.ts'
import { ListOf, self, wholeList, withRequestIds } from '../http/hal.ts'
import { mount } from '../http/mount.ts'
import { baseOf } from '../http/paging.ts'
import type { FieldOwner } from './fields.ts'
import {
  addGroups,
  changeGroup,
  type Group,
  isPredefined,
  readGroup,
  readGroups,
  removeGroup,
} from './groups.ts'
import { FieldGroup, FieldGroupPatch, NewFieldGroup } from './schemas.ts'

const ById = Type.Object({ id: Type.String({ maxLength: 255 }) })
const Groups = ListOf('custom_field_groups', FieldGroup)

/** Record kinds whose cards have tabs. */
const owners: FieldOwner[] = ['leads', 'contacts', 'companies', 'customers']

/** The operations on the groups of one kind of record. */
const operationsOf = (owner: FieldOwner) => ({
  list: {
    operationId: `${owner}.custom_fields.groups.list`,
    summary: `Lists the groups of fields on the cards of ${owner}.`,
    returns: 'The groups of fields.',
    tags: ['Fields'],
    response: { 200: Groups },
  },
  get: {
    operationId: `${owner}.custom_fields.groups.get`,
    summary: `Shows one group of fields of ${owner}.`,
    returns: 'The group of fields.',
    tags: ['Fields'],
    params: ById,
    response: { 200: FieldGroup },
  },
  create: {
    operationId: `${owner}.custom_fields.groups.create`,
    summary: `Adds groups of fields to the cards of ${owner}.`,
    returns: 'The new groups of fields.',
    tags: ['Fields'],
    body: Type.Array(NewFieldGroup, { minItems: 1, maxItems: 250 }),
    response: { 201: Groups },
  },
  update: {
    operationId: `${owner}.custom_fields.groups.update`,
    summary: `Changes one group of fields of ${owner}.`,
    returns: 'The group of fields after the change.',
    tags: ['Fields'],
    params: ById,
    body: FieldGroupPatch,
    response: { 200: FieldGroup },
  },
  remove: {
    operationId: `${owner}.custom_fields.groups.delete`,
    summary: `Deletes one group of fields of ${owner}.`,
    returns: 'The group of fields was deleted.',
    tags: ['Fields'],
    params: ById,
  },
})

/** `/{leads|contacts|companies|customers}/custom_fields/groups`. */
export function groupRoutes(ctx: Context): FastifyPluginAsyncTypebox {
  return async (v4) => {
    for (const owner of owners) await mount(v4, groupRoutesOf(ctx, owner))
  }
}

function groupView(group: Group, address: string): FieldGroup {
  return {
    id: group.id,
    name: group.name,
    is_predefined: isPredefined(group.id),
    type: 'custom_field_group',
    entity_type: group.entity_type as FieldOwner,
    sort: group.sort,
    fields: group.fields,
    _links: self(`${address}/${group.id}`),
  }
}

function groupRoutesOf(ctx: Context, owner: FieldOwner): FastifyPluginAsyncTypebox {
  return async (v4) => {
    const base = baseOf(v4)
    const path = `/${owner}/custom_fields/groups`
    const operations = operationsOf(owner)

    v4.get(path, { schema: operations.list }, async (request) => {
      const address = base(request) + path
      const groups = await readGroups(ctx, request.actor, owner)
      const views = groups.map((group) => groupView(group, address))
      return wholeList('custom_field_groups', views, address)
    })
    v4.get(`${path}/:id`, { schema: operations.get }, async (request) =>
      groupView(await readGroup(ctx, request.actor, owner, request.params.id), base(request) + path),
    )
    v4.post(path, { schema: operations.create }, async (request, reply) => {
      const { actor, body } = request
      const address = base(request) + path
      const added = await addGroups(ctx, actor, owner, body)
      const views = added.map((group) => groupView(group, address))
      return reply.code(201).send(wholeList('custom_field_groups', withRequestIds(views, body), address))
    })
    v4.patch(`${path}/:id`, { schema: operations.update }, async (request) => {
      const { actor, params, body } = request
      return groupView(await changeGroup(ctx, actor, owner, params.id, body), base(request) + path)
    })
    v4.delete(`${path}/:id`, { schema: operations.remove }, async (request, reply) => {
      await removeGroup(ctx, request.actor, owner, request.params.id)
      return reply.code(204).send()
    })
  }
}
