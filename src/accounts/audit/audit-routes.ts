import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Context } from '../../context.ts'
import { invalidChoice } from '../../errors.ts'
import { partsOf, type QueryValue, textOf } from '../../http/queries/bracket-query.ts'
import { numberOf } from '../../http/queries/query-values.ts'
import { AuditPage } from '../members/schemas.ts'
import { listAudit, type NamesOfIntegrations } from './audit.ts'
import { areaNames } from './audit-types.ts'

const AuditQuery = Type.Object({
  before: Type.Optional(Type.String({ maxLength: 64 })),
  filter: Type.Optional(Type.Unknown()),
})

/** `/web/audit`: the audit log of the account, for administrators. */
export function auditRoutes(
  ctx: Context,
  namesOfIntegrations: NamesOfIntegrations,
): FastifyPluginAsyncTypebox {
  return async (web) => {
    web.get(
      '/audit',
      { schema: { querystring: AuditQuery, response: { 200: AuditPage } } },
      async ({ actor, query }) => {
        const { integration, ...filter } = readFilter(query.filter as QueryValue | undefined)
        const named =
          integration === undefined ? null : await ctx.actingIntegrations.numbersOf(ctx, [integration])
        // 0 is the number of no integration.
        const asked = { ...filter, by_integration: named ? (named[0] ?? 0) : undefined, before: query.before }
        const { entries, next } = await listAudit(ctx, actor, asked)
        const ids = new Set(entries.flatMap(({ integration_id }) => integration_id ?? []))
        const nameOf = await namesOfIntegrations(ctx, actor.account_id, [...ids])
        const shown = entries.map((entry) => ({
          ...entry,
          integration_id: entry.integration_id && nameOf(entry.integration_id),
        }))
        return { entries: shown, next }
      },
    )
  }
}

/** Ignores unknown keys (V2). A user id of another account matches nothing. */
function readFilter(filter: QueryValue | undefined) {
  const parts = partsOf(filter)
  const name = textOf(parts.area)
  const area = areaNames.find((one) => one === name)
  if (name !== '' && !area) throw invalidChoice('filter.area', areaNames)
  const user = textOf(parts.user_id)
  const integration = textOf(parts.integration) || undefined
  return { area, integration, user_id: user === '' ? undefined : numberOf('filter.user_id', user) }
}
