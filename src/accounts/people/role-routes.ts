import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Context } from '../../context.ts'
import { ListOf, wholeList, withRequestIds } from '../../http/hal.ts'
import { mount } from '../../http/mount.ts'
import { type QueryValue, withNames } from '../../http/queries/bracket-query.ts'
import { baseOf, CountedList, countedPage, Paged, pageOf } from '../../http/queries/paging.ts'
import { withAny } from '../../http/queries/query-parameters.ts'
import { ById, NewRole, Role, RolePatch } from '../members/schemas.ts'
import { roleView } from './person-view.ts'
import { addRoles, changeRole, listRoles, readRole, removeRole } from './roles.ts'

const MAX_AT_ONCE = 250

const asked = (query: unknown) => ({
  users: withNames((query as { with?: QueryValue }).with, ['users']).has('users'),
})

const NewRoles = Type.Array(NewRole, { minItems: 1, maxItems: MAX_AT_ONCE })

const operations = {
  list: {
    operationId: 'roles.list',
    summary: 'Lists the roles.',
    returns: 'One page of roles.',
    tags: ['Account'],
    parameters: withAny('users'),
    querystring: Paged,
    response: { 200: CountedList('roles', Role) },
  },
  get: {
    operationId: 'roles.get',
    summary: 'Shows one role.',
    returns: 'The role.',
    tags: ['Account'],
    parameters: withAny('users'),
    params: ById,
    response: { 200: Role },
  },
  create: {
    operationId: 'roles.create',
    summary: 'Adds roles.',
    returns: 'The new role, or the list of new roles if the body is an array.',
    tags: ['Account'],
    requestBody: { 'application/json': Type.Union([NewRoles, NewRole]) },
    body: NewRoles,
    response: { 201: Type.Union([Role, ListOf('roles', Role)]) },
  },
  update: {
    operationId: 'roles.update',
    summary: 'Changes one role.',
    returns: 'The role after the change.',
    tags: ['Account'],
    params: ById,
    body: RolePatch,
    response: { 202: Role },
  },
  remove: {
    operationId: 'roles.delete',
    summary: 'Deletes one role that nobody has.',
    returns: 'The role was deleted.',
    tags: ['Account'],
    params: ById,
  },
}

export function roleRoutes(ctx: Context): FastifyPluginAsyncTypebox {
  return async (v4) => {
    await mount(v4, readRoutes(ctx))
    await mount(v4, addRoutes(ctx))
    await mount(v4, changeRoutes(ctx))
  }
}

function readRoutes(ctx: Context): FastifyPluginAsyncTypebox {
  return async (v4) => {
    const base = baseOf(v4)

    v4.get('/roles', { schema: operations.list }, async (request) => {
      const page = pageOf(request.query)
      const { total, roles } = await listRoles(ctx, request.actor, page, asked(request.query))
      const shown = roles.map((role) => roleView(role, base(request)))
      return { ...countedPage(request, page, total), _embedded: { roles: shown } }
    })
    v4.get('/roles/:id', { schema: operations.get }, async (request) =>
      roleView(await readRole(ctx, request.actor, request.params.id, asked(request.query)), base(request)),
    )
  }
}

function addRoutes(ctx: Context): FastifyPluginAsyncTypebox {
  return async (v4) => {
    const base = baseOf(v4)
    // A single role in the body gets that role as the response; an array gets a list.
    const singles = new WeakSet<object>()
    v4.post(
      '/roles',
      {
        preValidation: async (request) => {
          if (Array.isArray(request.body)) return
          request.body = [request.body] as never
          singles.add(request)
        },
        schema: operations.create,
      },
      async (request, reply) => {
        const added = await addRoles(ctx, request.actor, request.body)
        const views = added.map((role) => roleView(role, base(request)))
        const roles = withRequestIds(views, request.body)
        const list = wholeList('roles', roles, `${base(request)}/roles`)
        return reply.code(201).send(singles.has(request) ? (roles[0] as Role) : list)
      },
    )
  }
}

function changeRoutes(ctx: Context): FastifyPluginAsyncTypebox {
  return async (v4) => {
    const base = baseOf(v4)
    v4.patch('/roles/:id', { schema: operations.update }, async (request, reply) => {
      const role = await changeRole(ctx, request.actor, request.params.id, request.body)
      return reply.code(202).send(roleView(role, base(request)))
    })
    v4.delete('/roles/:id', { schema: operations.remove }, async (request, reply) => {
      await removeRole(ctx, request.actor, request.params.id)
      return reply.code(204).send()
    })
  }
}
