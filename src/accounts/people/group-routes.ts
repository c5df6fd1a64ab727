import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '../../context.ts'
import { baseOf, CountedList, countedPage, Paged, pageOf } from '../../http/queries/paging.ts'
import { ById, Group, NewGroup } from '../members/schemas.ts'
import { addGroup, listGroups, removeGroup, renameGroup } from './groups.ts'
import { groupView } from './person-view.ts'

const operations = {
  list: {
    operationId: 'groups.list',
    summary: 'Lists the groups of people.',
    returns: 'The groups.',
    tags: ['Account'],
    querystring: Paged,
    response: { 200: CountedList('groups', Group) },
  },
  create: {
    operationId: 'groups.create',
    summary: 'Adds one group.',
    returns: 'The new group.',
    tags: ['Account'],
    body: NewGroup,
    response: { 201: Group },
  },
  update: {
    operationId: 'groups.update',
    summary: 'Renames one group.',
    returns: 'The group after the change.',
    tags: ['Account'],
    params: ById,
    body: NewGroup,
    response: { 200: Group },
  },
  remove: {
    operationId: 'groups.delete',
    summary: 'Deletes one group that contains nobody.',
    returns: 'The group was deleted.',
    tags: ['Account'],
    params: ById,
  },
}

/** These endpoints are ours: the platform shows groups only in `GET /account`. */
export function groupRoutes(ctx: Context): FastifyPluginAsyncTypebox {
  return async (v4) => {
    const base = baseOf(v4)

    v4.get('/groups', { schema: operations.list }, async (request) => {
      const page = pageOf(request.query)
      const { total, groups } = await listGroups(ctx, request.actor, page)
      const shown = groups.map((group) => groupView(group, base(request)))
      return { ...countedPage(request, page, total), _embedded: { groups: shown } }
    })
    v4.post('/groups', { schema: operations.create }, async (request, reply) => {
      const group = await addGroup(ctx, request.actor, request.body)
      return reply.code(201).send(groupView(group, base(request)))
    })
    v4.patch('/groups/:id', { schema: operations.update }, async (request) =>
      groupView(await renameGroup(ctx, request.actor, request.params.id, request.body), base(request)),
    )
    v4.delete('/groups/:id', { schema: operations.remove }, async (request, reply) => {
      await removeGroup(ctx, request.actor, request.params.id)
      return reply.code(204).send()
    })
  }
}
