import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Context } from '../../context.ts'
import { Self, self } from '../../http/hal.ts'
import { originOf } from '../../http/queries/paging.ts'
import { readOwner } from './people.ts'

const Owner = Type.Object(
  { id: Type.Integer(), name: Type.String(), email: Type.String(), _links: Self },
  { title: 'TokenOwner' },
)

const owner = {
  operationId: 'oauth.owner.get',
  summary: 'Shows the person in whose name a token acts.',
  returns: 'The person.',
  tags: ['Authorization'],
  response: { 200: Owner },
}

/** `/user`: the resource owner, which OAuth libraries read after an exchange to know who signed in (A25). */
export function ownerRoutes(ctx: Context): FastifyPluginAsyncTypebox {
  return async (v3) => {
    v3.get('/user', { schema: owner }, async (request) => {
      const { id, name, email } = await readOwner(ctx, request.actor)
      return { id, name, email, _links: self(`${originOf(request)}/api/v4/users/${id}`) }
    })
  }
}
