import { setImmediate } from 'node:timers/promises'
import type { Context } from '../context.ts'
import type { OldPosition } from '../db/old-rows.ts'
import { type KindName, kindNames } from './kind-types.ts'
import { kinds } from './kinds.ts'
import type { Periods } from './settings.ts'
import { meanBytes } from './sizes.ts'
import { keptSince } from './windows.ts'

/** The rows that a deletion would delete now. */
export interface Forecast {
  kind: KindName
  days: number
  /** The number of rows that would go, and whether counting ended before the last one. */
  rows: number
  is_more: boolean
  /** Old rows that stay because others need them. */
  kept: number
  /** The time of the oldest row that would go, in Unix seconds. */
  oldest_at: number | null
  /** An estimate from the mean size of these rows. */
  bytes: number
}

/** Rows of a window: about 10 ms of the thread for long queries. */
const WINDOW = 2_000

/**
 * Counts what would go with these periods, by the queries of the deletion. Of each kind, counting ends after `most` rows.
 * It changes nothing.
 */
export async function forecast(
  ctx: Context,
  account_id: number,
  periods: Periods,
  most: number,
): Promise<Forecast[]> {
  const found: Forecast[] = []
  for (const kind of kindNames) {
    const days = periods[kind]
    if (days !== null) found.push(await forecastKind(ctx, account_id, kind, days, most))
  }
  return found
}

async function forecastKind(
  ctx: Context,
  account_id: number,
  kind: KindName,
  days: number,
  most: number,
): Promise<Forecast> {
  const before = keptSince(ctx.now(), days)
  const { rows, tables } = kinds[kind]
  const sum = { rows: 0, kept: 0, oldest_at: null as number | null }
  let after: OldPosition | null = null
  do {
    const page = await rows.find(ctx.db, { account_id, before, after, limit: WINDOW })
    sum.rows += page.keys.length
    sum.kept += page.kept
    sum.oldest_at = earlier(sum.oldest_at, page.oldest)
    after = page.next
    await setImmediate()
  } while (after !== null && sum.rows + sum.kept < most)
  const bytes = sum.rows === 0 ? 0 : Math.round(sum.rows * (await meanBytes(ctx, tables)))
  return { kind, days, ...sum, is_more: after !== null, bytes }
}

const earlier = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.min(a, b)
