import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Context } from '../../context.ts'
import { findColleagues } from '../members/queries.ts'
import { Colleague } from '../members/schemas.ts'

/**
 * `/web/colleagues`: names for the user ids in records, tasks and events, for every member. In the API, only
 * administrators can list users, because that list has all user data.
 */
export function colleagueRoutes(ctx: Context): FastifyPluginAsyncTypebox {
  return async (web) => {
    web.get(
      '/colleagues',
      { schema: { response: { 200: Type.Object({ colleagues: Type.Array(Colleague) }) } } },
      async ({ actor }) => {
        const rows = await findColleagues(ctx.db, actor.account_id)
        const colleagues = rows.map(({ id, name, group_id, is_active, removed_at }) => ({
          id,
          name,
          group_id,
          is_active: is_active === 1 && removed_at === null,
        }))
        return { colleagues }
      },
    )
  }
}
