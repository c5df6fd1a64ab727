import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Context } from '../context.ts'
import { findColleagues } from './queries.ts'
import { Colleague } from './schemas.ts'

/**
 * `/web/colleagues`: who the ids of people in records, tasks and events are. For every member: in the API only
 * administrators list users, with all that is said of them there.
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
