import type { NamesOfIntegrations } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import { Refusal } from '../errors.ts'
import { filterOf, requestLogOf, shownExchanges } from './list.ts'
import type { LoggedExchange, WaitQuery } from './schemas.ts'
import {
  compared,
  type Filter,
  type Found,
  isStatus,
  readExchanges,
  searchRequests,
  WHOLE,
} from './search.ts'

/** Other processes write to the same store on PostgreSQL. */
const POLL_MS = 250
/** Rows among which the nearest misses are looked for, and how many are shown. */
const MISSES = { searched: 200, shown: 5 }

/** A request that is not what was waited for, and why. */
interface Miss {
  id: number
  method: string
  path: string
  status: number | null
  differs: { member: string; expected: unknown; found: unknown }[]
}

/**
 * Waits until `count` matching requests are in the log, and returns them, the oldest first. Throws Refusal('timed_out')
 * with the nearest misses.
 */
export async function waitForRequests(
  ctx: Context,
  account_id: number,
  { count, timeout, after = 0, ...query }: WaitQuery,
  namesOf: NamesOfIntegrations,
): Promise<LoggedExchange[]> {
  const log = requestLogOf(ctx)
  const filter = await filterOf(ctx, query)
  const span = { ...WHOLE, after }
  const ends_at = performance.now() + timeout * 1000
  let written = Promise.withResolvers<void>()
  const stop = log.onWritten(() => {
    written.resolve()
    written = Promise.withResolvers()
  })
  try {
    for (;;) {
      const changed = written.promise
      await log.flush()
      const rows = await searchRequests(log.store, account_id, filter, span, count)
      if (rows.length >= count) return await exchanges(ctx, account_id, rows, namesOf)
      const left = ends_at - performance.now()
      if (left <= 0)
        throw await timedOut(ctx, account_id, filter, after, { count, found: rows.length, namesOf })
      await pause(changed, Math.min(left, POLL_MS))
    }
  } finally {
    stop()
  }
}

async function pause(changed: Promise<void>, ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  await Promise.race([changed, promise])
  clearTimeout(timer)
}

async function exchanges(
  ctx: Context,
  account_id: number,
  rows: readonly Found[],
  namesOf: NamesOfIntegrations,
): Promise<LoggedExchange[]> {
  const ids = rows.map(({ id }) => id).reverse()
  return shownExchanges(
    ctx,
    account_id,
    await readExchanges(requestLogOf(ctx).store, account_id, ids),
    namesOf,
  )
}

async function timedOut(
  ctx: Context,
  account_id: number,
  filter: Filter,
  after: number,
  { count, found, namesOf }: { count: number; found: number; namesOf: NamesOfIntegrations },
): Promise<Refusal> {
  const recent = await searchRequests(
    requestLogOf(ctx).store,
    account_id,
    {},
    { ...WHOLE, after },
    MISSES.searched,
  )
  const ids = [filter, ...recent].flatMap(({ integration_id }) => integration_id ?? [])
  const nameOf = await namesOf(ctx, account_id, [...new Set(ids)])
  const nearest = nearestMisses(filter, recent).map((miss) => ({
    ...miss,
    differs: miss.differs.map((one) => asQueried(one, nameOf)),
  }))
  return new Refusal('timed_out', `${found} of ${count} such requests happened in time.`, {
    members: { nearest },
  })
}

/** A difference in the names of the query: an account can know another one's integration only by its handle (A18). */
function asQueried(one: Miss['differs'][number], nameOf: (id: string) => string): Miss['differs'][number] {
  if (one.member !== 'integration_id') return one
  const named = (id: unknown) => (typeof id === 'string' ? nameOf(id) : id)
  return { member: 'integration', expected: named(one.expected), found: named(one.found) }
}

/** The rows that differ least from the filter: in the fewest members, and then in the end of the path only. */
function nearestMisses(filter: Filter, rows: readonly Found[]): Miss[] {
  return rows
    .map((row) => ({ row, differs: differencesOf(filter, row) }))
    .filter(({ differs }) => differs.length > 0)
    .map(({ row, differs }) => ({ row, differs, shared: sharedParts(filter.path, row.path) }))
    .toSorted((a, b) => a.differs.length - b.differs.length || b.shared - a.shared)
    .slice(0, MISSES.shown)
    .map(({ row: { id, method, path, status }, differs }) => ({ id, method, path, status, differs }))
}

function differencesOf(filter: Filter, row: Found): Miss['differs'] {
  const { status, only_unread, only_refused } = filter
  const isOther = status !== undefined && !isStatus(status, row.status)
  return [
    ...compared
      .filter((name) => filter[name] !== undefined && filter[name] !== row[name])
      .map((member) => ({
        member: member as string,
        expected: filter[member] as unknown,
        found: row[member] as unknown,
      })),
    ...(isOther ? [{ member: 'status', expected: statusName(status), found: row.status }] : []),
    ...(only_unread && row.unread.length === 0 ? [{ member: 'unread', expected: true, found: false }] : []),
    ...(only_refused && row.why === null ? [{ member: 'refused', expected: true, found: false }] : []),
  ]
}

/** A status as a filter names it. */
const statusName = (status: number): string | number =>
  status === 0 ? 'none' : status < 10 ? `${status}xx` : status

/** The number of equal parts at the beginning of two paths. */
function sharedParts(expected: string | undefined, found: string): number {
  const parts = found.split('/')
  const [at] = [...(expected ?? '').split('/').entries()].find(([i, part]) => part !== parts[i]) ?? []
  return at ?? parts.length
}
