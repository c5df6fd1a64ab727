import type { ActingIntegration, Context } from '../../context.ts'
import { invalid } from '../../errors.ts'
import { listOf, partsOf, type QueryValue, withNames } from '../../http/queries/bracket-query.ts'

/** The columns of a row that has an author and a person who changed it last. */
interface ActingRow {
  created_by_integration: number | null
  updated_by_integration: number | null
}

/** The members that `with=integration` adds to a row; none without it. */
export type ShowActing = (row: ActingRow) => {
  created_by_integration?: ActingIntegration | null
  updated_by_integration?: ActingIntegration | null
}

/** Finds the integrations of a page of rows with at most one query. */
export type FindActing = (rows: readonly ActingRow[]) => Promise<ShowActing>

export const withoutActing: FindActing = async () => () => ({})

/** Shows the integrations of rows if the request has `with=integration`. */
export function actingOf(
  ctx: Context,
  { actor: { account_id }, query }: { actor: { account_id: number }; query: unknown },
): FindActing {
  if (!asksForIntegration(query)) return withoutActing
  return async (rows) => {
    const numbers = rows.flatMap((row) => [row.created_by_integration, row.updated_by_integration])
    const found = await ctx.actingIntegrations.find(ctx, account_id, numbers)
    return (row) => ({
      created_by_integration: found.get(row.created_by_integration ?? 0) ?? null,
      updated_by_integration: found.get(row.updated_by_integration ?? 0) ?? null,
    })
  }
}

/** Whether the query has `with=integration`. */
export const asksForIntegration = (query: unknown): boolean =>
  withNames((query as { with?: QueryValue }).with, ['integration']).size > 0

/** The integrations whose rows a list shows, by number; null or undefined for all rows. Only `withActing` writes it. */
export interface OfIntegrations {
  integrations?: readonly number[] | null
}

const MAX_INTEGRATIONS = 10

/** A number that no integration has: nothing matches. */
const NO_INTEGRATION = [0]

/**
 * The numbers of the integrations in `filter[integration]`, which has ids or handles; null without it. Throws
 * Refusal('invalid') if there are too many.
 */
export async function integrationsIn(ctx: Context, filter: QueryValue | undefined): Promise<number[] | null> {
  const names = [...new Set(listOf(partsOf(filter).integration))]
  if (names.length === 0) return null
  if (names.length > MAX_INTEGRATIONS)
    throw invalid(
      'filter.integration',
      'TooMany',
      `filter[integration] accepts at most ${MAX_INTEGRATIONS} integrations.`,
    )
  const numbers = await ctx.actingIntegrations.numbersOf(ctx, names)
  return numbers.length > 0 ? numbers : NO_INTEGRATION
}

/** The query of a list with the numbers of the integrations that its filter names. */
export async function withActing<Query extends { filter?: QueryValue }>(
  ctx: Context,
  query: Query,
): Promise<Query & OfIntegrations> {
  return { ...query, integrations: await integrationsIn(ctx, query.filter) }
}
