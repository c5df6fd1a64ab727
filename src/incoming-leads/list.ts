import { type Actor, requirePaid } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import type { Db } from '../db/database.ts'
import { type Access, isVisible, loadAccess, notFound, seesAll } from '../entities/entities.ts'
import { invalid, invalidChoice } from '../errors.ts'
import { filterOf, listOf, partsOf, type QueryValue } from '../http/queries/bracket-query.ts'
import type { Page, Position } from '../http/queries/paging.ts'
import { directionOf, numberOf, timesOf } from '../http/queries/query-values.ts'
import { categories } from './categories.ts'
import { countIncoming, findWaiting, type IncomingFilter, type IncomingOrder, selectPage } from './queries.ts'
import { incomingLeadView, recordsOf } from './view.ts'

export interface IncomingQuery {
  filter?: QueryValue
  order?: QueryValue
}

const MAX_VALUES = 250

/** The values of a filter. */
function valuesIn(query: IncomingQuery, name: string): string[] {
  const values = listOf(filterOf(query, name))
  if (values.length > MAX_VALUES)
    throw invalid(`filter.${name}`, 'TooMany', `This filter accepts at most ${MAX_VALUES} values.`)
  return values
}

const idsIn = (query: IncomingQuery, name: string): number[] =>
  valuesIn(query, name).map((text) => numberOf(`filter.${name}`, text))

function categoriesIn(query: IncomingQuery): string[] {
  const values = valuesIn(query, 'category')
  if (values.every((value) => (categories as readonly string[]).includes(value))) return values
  throw invalidChoice('filter.category', categories)
}

const filterIn = (query: IncomingQuery): IncomingFilter => ({
  uid: valuesIn(query, 'uid'),
  category: categoriesIn(query),
  pipeline_id: idsIn(query, 'pipeline_id'),
  lead_id: idsIn(query, 'lead_id'),
})

function orderIn({ order }: IncomingQuery): IncomingOrder {
  const parts = partsOf(order)
  const column = (['created_at', 'updated_at'] as const).find((name) => name in parts)
  if (!column) return { column: 'created_at', direction: 'desc' }
  return { column, direction: directionOf(column, parts[column]) }
}

/** The condition that the lead is visible; null if the person sees all of them. */
const visibility = (db: Db, access: Access) =>
  seesAll(access, 'leads') ? null : isVisible(db, access, 'leads', null, 'incoming_leads.lead_id')

/** A page of the waiting incoming leads whose leads the person sees, newest first. */
export async function listIncoming(
  ctx: Context,
  actor: Actor,
  query: IncomingQuery,
  { page, after, base }: { page: Page; after: Position | null; base: string },
) {
  requirePaid(ctx, actor)
  const { db } = ctx
  const access = await loadAccess(db, actor)
  const order = orderIn(query)
  const { limit, offset } = page
  const found = await selectPage(
    db,
    actor.account_id,
    filterIn(query),
    order,
    { after, limit: limit + 1, offset },
    visibility(db, access),
  )
  const rows = found.slice(0, limit)
  const last = rows.at(-1)
  const records = await recordsOf(
    db,
    access,
    rows.map(({ lead_id }) => lead_id),
  )
  return {
    unsorted: rows.map((row) => incomingLeadView(base, row, records(row.lead_id))),
    next: found.length > limit && last ? { value: last[order.column], id: last.lead_id } : null,
  }
}

/** One waiting incoming lead. Throws Refusal('not_found') if it was accepted or declined. */
export async function readIncoming(ctx: Context, actor: Actor, uid: string, base: string) {
  requirePaid(ctx, actor)
  const { db } = ctx
  const access = await loadAccess(db, actor)
  const filter = { uid: [uid], category: [], pipeline_id: [], lead_id: [] }
  const [row] = (await findWaiting(db, actor.account_id, uid))
    ? await selectPage(
        db,
        actor.account_id,
        filter,
        { column: 'created_at', direction: 'desc' },
        { after: null, limit: 1, offset: 0 },
        visibility(db, access),
      )
    : []
  if (!row) throw notFound()
  return incomingLeadView(base, row, (await recordsOf(db, access, [row.lead_id]))(row.lead_id))
}

/** How many arrived in a span of time, and how many were accepted and declined in it (I8). */
export async function summarizeIncoming(ctx: Context, actor: Actor, query: IncomingQuery) {
  requirePaid(ctx, actor)
  const { db } = ctx
  const access = await loadAccess(db, actor)
  const { uid, pipeline_id } = filterIn(query)
  const span = timesOf('created_at', filterOf(query, 'created_at') ?? '')
  const [arrived, sorted] = await Promise.all(
    (['created_at', 'sorted_at'] as const).map((by) =>
      countIncoming(db, actor.account_id, by, span, { uid, pipeline_id }, visibility(db, access)),
    ),
  )
  const totalOf = (rows: typeof sorted = [], is: (row: { category: string; state: string }) => boolean) =>
    rows.filter(is).reduce((sum, { total }) => sum + total, 0)
  const count = totalOf(sorted, () => true)
  const seconds = (sorted ?? []).reduce((sum, row) => sum + row.seconds, 0)
  const byCategory = categories.map(
    (name) => [name, { total: totalOf(arrived, ({ category }) => category === name) }] as const,
  )
  return {
    total: totalOf(arrived, () => true),
    accepted: totalOf(sorted, ({ state }) => state === 'accepted'),
    declined: totalOf(sorted, ({ state }) => state === 'declined'),
    average_sort_time: count === 0 ? 0 : Math.round(seconds / count),
    categories: Object.fromEntries(byCategory) as Record<(typeof categories)[number], { total: number }>,
  }
}
