import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Context } from '../context.ts'
import { ListOf, self } from '../http/hal.ts'
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
    const listed = (address: string, custom_field_groups: FieldGroup[]) => ({
      _total_items: custom_field_groups.length,
      _links: self(address),
      _embedded: { custom_field_groups },
    })

    v4.get(path, { schema: { response: { 200: Groups } } }, async (request) => {
      const address = base(request) + path
      const groups = await readGroups(ctx, request.actor, owner)
      return listed(
        address,
        groups.map((group) => groupView(group, address)),
      )
    })
    v4.get(`${path}/:id`, { schema: { params: ById, response: { 200: FieldGroup } } }, async (request) =>
      groupView(await readGroup(ctx, request.actor, owner, request.params.id), base(request) + path),
    )
    v4.post(
      path,
      {
        schema: {
          body: Type.Array(NewFieldGroup, { minItems: 1, maxItems: 250 }),
          response: { 201: Groups },
        },
      },
      async (request, reply) => {
        const { actor, body } = request
        const address = base(request) + path
        const added = (await addGroups(ctx, actor, owner, body)).map((group, i) => ({
          ...groupView(group, address),
          request_id: body[i]?.request_id ?? String(i),
        }))
        return reply.code(201).send(listed(address, added))
      },
    )
    v4.patch(
      `${path}/:id`,
      { schema: { params: ById, body: FieldGroupPatch, response: { 200: FieldGroup } } },
      async (request) => {
        const { actor, params, body } = request
        return groupView(await changeGroup(ctx, actor, owner, params.id, body), base(request) + path)
      },
    )
    v4.delete(`${path}/:id`, { schema: { params: ById } }, async (request, reply) => {
      await removeGroup(ctx, request.actor, owner, request.params.id)
      return reply.code(204).send()
    })
  }
}
