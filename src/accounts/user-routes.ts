import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Context } from '../context.ts'
import { type QueryValue, withNames } from '../http/bracket-query.ts'
import { ListOf } from '../http/hal.ts'
import { mount } from '../http/mount.ts'
import { baseOf, CountedList, countedPage, Paged, pageOf } from '../http/paging.ts'
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
import { ById, NamedPeople, NewUser, User, UserPatch } from './schemas.ts'

const NONE = new Set<UserPart>()
const MOST_AT_ONCE = 10

const parts = (query: unknown) => withNames((query as { with?: QueryValue }).with, userParts)

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

    v4.get(
      '/users',
      { schema: { querystring: Paged, response: { 200: CountedList('users', User) } } },
      async (request) => {
        const page = pageOf(request.query)
        const { total, people } = await listPeople(ctx, request.actor, page)
        const users = people.map((row) => userView(row, parts(request.query), base(request)))
        return { ...countedPage(request, page, total), _embedded: { users } }
      },
    )
    v4.get('/users/:id', { schema: { params: ById, response: { 200: User } } }, async (request) =>
      userView(await readPerson(ctx, request.actor, request.params.id), parts(request.query), base(request)),
    )
    v4.post(
      '/users',
      {
        schema: {
          body: Type.Array(NewUser, { minItems: 1, maxItems: MOST_AT_ONCE }),
          response: { 201: ListOf('users', User) },
        },
      },
      async (request, reply) => {
        const people = await addPeople(ctx, request.actor, request.body)
        const users = people.map((row, index) => ({
          ...userView(row, NONE, base(request)),
          request_id: request.body[index]?.request_id ?? String(index),
          ...(row.is_known && { keeps_password: true }),
        }))
        const _links = { self: { href: `${base(request)}/users` } }
        return reply.code(201).send({ _total_items: users.length, _links, _embedded: { users } })
      },
    )
  }
}

function changeRoutes(ctx: Context): FastifyPluginAsyncTypebox {
  return async (v4) => {
    const base = baseOf(v4)
    v4.patch(
      '/users/:id',
      { schema: { params: ById, body: UserPatch, response: { 200: User } } },
      async (request) =>
        userView(
          await changePerson(ctx, request.actor, request.params.id, request.body),
          NONE,
          base(request),
        ),
    )
    v4.post(
      '/users/:id/activate',
      { schema: { params: ById, response: { 202: User } } },
      async (request, reply) => {
        const person = await activatePerson(ctx, request.actor, request.params.id)
        return reply.code(202).send(userView(person, NONE, base(request)))
      },
    )
    v4.post('/users/:id/deactivate', { schema: { params: ById } }, async (request, reply) => {
      await deactivatePerson(ctx, request.actor, request.params.id)
      return reply.code(204).send()
    })
    for (const [verb, changeAll] of [
      ['activate', activatePeople],
      ['deactivate', deactivatePeople],
    ] as const)
      v4.post(`/users/${verb}`, { schema: { body: NamedPeople } }, async (request, reply) => {
        await changeAll(ctx, request.actor, request.body)
        return reply.code(204).send()
      })
    v4.delete('/users/:id', { schema: { params: ById } }, async (request, reply) => {
      await removePerson(ctx, request.actor, request.params.id)
      return reply.code(204).send()
    })
  }
}
