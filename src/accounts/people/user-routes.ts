import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Context } from '../../context.ts'
import { ListOf, wholeList, withRequestIds } from '../../http/hal.ts'
import { mount } from '../../http/mount.ts'
import { type QueryValue, withNames } from '../../http/queries/bracket-query.ts'
import { baseOf, CountedList, countedPage, Paged, pageOf } from '../../http/queries/paging.ts'
import { withAny } from '../../http/queries/query-parameters.ts'
import { ById, NamedPeople, NewUser, User, UserPatch } from '../members/schemas.ts'
import { addPeople, listPeople, readPerson } from './people.ts'
import {
  activatePeople,
  activatePerson,
  changePerson,
  deactivatePeople,
  deactivatePerson,
  removePerson,
} from './person-changes.ts'
import { type UserPart, userParts, userView } from './person-view.ts'

const NONE = new Set<UserPart>()
const MAX_AT_ONCE = 10

const parts = (query: unknown) => withNames((query as { with?: QueryValue }).with, userParts)

const operations = {
  list: {
    operationId: 'users.list',
    summary: 'Lists the people of the account.',
    returns: 'One page of people.',
    tags: ['Account'],
    parameters: withAny(...userParts),
    querystring: Paged,
    response: { 200: CountedList('users', User) },
  },
  get: {
    operationId: 'users.get',
    summary: 'Shows one person.',
    returns: 'The person.',
    tags: ['Account'],
    parameters: withAny(...userParts),
    params: ById,
    response: { 200: User },
  },
  create: {
    operationId: 'users.create',
    summary: 'Adds people to the account.',
    returns: 'The new people.',
    tags: ['Account'],
    body: Type.Array(NewUser, { minItems: 1, maxItems: MAX_AT_ONCE }),
    response: { 201: ListOf('users', User) },
  },
  update: {
    operationId: 'users.update',
    summary: 'Changes one person and their rights.',
    returns: 'The person after the change.',
    tags: ['Account'],
    params: ById,
    body: UserPatch,
    response: { 200: User },
  },
  activate: {
    operationId: 'users.activate',
    summary: 'Activates one person.',
    returns: 'The person, who is active.',
    tags: ['Account'],
    params: ById,
    response: { 202: User },
  },
  deactivate: {
    operationId: 'users.deactivate',
    summary: 'Deactivates one person, and revokes the permissions that they granted.',
    returns: 'The person is not active.',
    tags: ['Account'],
    params: ById,
  },
  activateMany: {
    operationId: 'users.activate_many',
    summary: 'Activates several people.',
    returns: 'The people are active.',
    tags: ['Account'],
    body: NamedPeople,
  },
  deactivateMany: {
    operationId: 'users.deactivate_many',
    summary: 'Deactivates several people, and revokes the permissions that they granted.',
    returns: 'The people are not active.',
    tags: ['Account'],
    body: NamedPeople,
  },
  remove: {
    operationId: 'users.delete',
    summary: 'Removes one person from the account.',
    returns: 'The person was removed.',
    tags: ['Account'],
    params: ById,
  },
}

/** Routes of users: members of the account, with their data in this account. */
export function userRoutes(ctx: Context): FastifyPluginAsyncTypebox {
  return async (v4) => {
    await mount(v4, peopleRoutes(ctx))
    await mount(v4, changeRoutes(ctx))
  }
}

function peopleRoutes(ctx: Context): FastifyPluginAsyncTypebox {
  return async (v4) => {
    const base = baseOf(v4)

    v4.get('/users', { schema: operations.list }, async (request) => {
      const page = pageOf(request.query)
      const { total, people } = await listPeople(ctx, request.actor, page)
      const users = people.map((row) => userView(row, parts(request.query), base(request)))
      return { ...countedPage(request, page, total), _embedded: { users } }
    })
    v4.get('/users/:id', { schema: operations.get }, async (request) =>
      userView(await readPerson(ctx, request.actor, request.params.id), parts(request.query), base(request)),
    )
    v4.post('/users', { schema: operations.create }, async (request, reply) => {
      const people = await addPeople(ctx, request.actor, request.body)
      const users = people.map((row) => ({
        ...userView(row, NONE, base(request)),
        ...(row.is_known && { keeps_password: true }),
      }))
      const list = wholeList('users', withRequestIds(users, request.body), `${base(request)}/users`)
      return reply.code(201).send(list)
    })
  }
}

function changeRoutes(ctx: Context): FastifyPluginAsyncTypebox {
  return async (v4) => {
    const base = baseOf(v4)
    v4.patch('/users/:id', { schema: operations.update }, async (request) =>
      userView(await changePerson(ctx, request.actor, request.params.id, request.body), NONE, base(request)),
    )
    v4.post('/users/:id/activate', { schema: operations.activate }, async (request, reply) => {
      const person = await activatePerson(ctx, request.actor, request.params.id)
      return reply.code(202).send(userView(person, NONE, base(request)))
    })
    v4.post('/users/:id/deactivate', { schema: operations.deactivate }, async (request, reply) => {
      await deactivatePerson(ctx, request.actor, request.params.id)
      return reply.code(204).send()
    })
    for (const [verb, schema, changeAll] of [
      ['activate', operations.activateMany, activatePeople],
      ['deactivate', operations.deactivateMany, deactivatePeople],
    ] as const)
      v4.post(`/users/${verb}`, { schema }, async (request, reply) => {
        await changeAll(ctx, request.actor, request.body)
        return reply.code(204).send()
      })
    v4.delete('/users/:id', { schema: operations.remove }, async (request, reply) => {
      await removePerson(ctx, request.actor, request.params.id)
      return reply.code(204).send()
    })
  }
}
