import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Context } from '../context.ts'
import { invalid } from '../errors.ts'
import { type QueryValue, textOf } from '../http/bracket-query.ts'
import { numberOf } from '../http/query-values.ts'
import { listAudit } from './audit.ts'
import { areaNames } from './audit-types.ts'
import { AuditPage } from './schemas.ts'

const AuditQuery = Type.Object({
  before: Type.Optional(Type.String({ maxLength: 64 })),
  filter: Type.Optional(Type.Unknown()),
})

/** `/web/audit`: who changed what in the account, for its administrators. */
export function auditRoutes(ctx: Context): FastifyPluginAsyncTypebox {
  return async (web) => {
    web.get(
      '/audit',
      { schema: { querystring: AuditQuery, response: { 200: AuditPage } } },
      async ({ actor, query }) => {
        const { user_id, area } = readFilter(query.filter as QueryValue | undefined)
        return listAudit(ctx, actor, { before: query.before, user_id, area })
      },
    )
  }
}

/** Unknown keys are ignored (V2). A person of another account has done nothing here. */
function readFilter(filter: QueryValue | undefined) {
  const asked = typeof filter === 'object' && !Array.isArray(filter) ? filter : {}
  const name = textOf(asked.area)
  const area = areaNames.find((one) => one === name)
  if (name !== '' && !area)
    throw invalid('filter.area', 'NotSupportedChoice', 'The value you selected is not a valid choice.')
  const user = textOf(asked.user_id)
  return { area, user_id: user === '' ? undefined : numberOf('filter.user_id', user) }
}
