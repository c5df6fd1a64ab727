import type { Db } from '../db/database.ts'
import { deleteUnused } from './circuit-queries.ts'
import { deleteEnded, selectAfter } from './queries.ts'

/** Seconds for which an ended delivery and its tries can be looked up. */
const KEPT = 30 * 86_400
const PORTION = 500

/**
 * Deletes what ended more than 30 days before `now`, in portions, and answers how many deliveries that were.
 * Ids rise with time: it walks up the primary key, and stops at the first portion that ends in a young row.
 */
export async function sweepDeliveries(db: Db, now: number): Promise<number> {
  const before = now - KEPT
  let swept = 0
  for (let after: number | null = 0; after !== null; ) {
    const rows = await selectAfter(db, after, PORTION)
    const old = rows.filter(({ ended_at }) => ended_at !== null && ended_at < before).map(({ id }) => id)
    if (old.length > 0) swept += await db.transaction().execute((tx) => deleteEnded(tx, old, before))
    const last = rows.at(-1)
    after = rows.length === PORTION && last && last.created_at < before ? last.id : null
  }
  return swept
}

/** Forgets circuits that nothing went to for 30 days, and answers how many. */
export function sweepCircuits(db: Db, now: number): Promise<number> {
  return db.transaction().execute((tx) => deleteUnused(tx, now - KEPT))
}
