import type { Context } from '../../context.ts'
import { buildIndex, missingIndexes } from './online-indexes.ts'

type Upgraded = Pick<Context, 'db' | 'config' | 'log' | 'metrics' | 'monotonic'>

/** Builds the indexes that an upgrade has left out, and shows in the log and the metrics how many remain. */
export function indexUpkeep(ctx: Upgraded) {
  // Absent until the first check.
  let missing: number | null = null
  let isComplete = false
  ctx.metrics.watch(
    'patchbay_indexes_missing',
    'Indexes that are still to be built after an upgrade.',
    () => missing,
  )
  const run = async () => {
    if (isComplete) return
    isComplete = await buildIndexes(ctx, (left) => {
      missing = left
    })
  }
  return [{ name: 'missing indexes', every_seconds: 3, run }]
}

/**
 * Builds all missing indexes, one after the other, and reports how many are left before and after each. Resolves to
 * false if another program is building indexes of this database.
 */
export async function buildIndexes(
  { db, config, log, monotonic }: Omit<Upgraded, 'metrics'>,
  report: (left: number) => void,
): Promise<boolean> {
  const missing = await missingIndexes(db)
  report(missing.length)
  for (const [i, index] of missing.entries()) {
    const { name, table } = index
    const began = monotonic()
    log.info({ index: name, table, left: missing.length - i }, 'building an index')
    if (!(await buildIndex(db, config, index))) return false
    log.info({ index: name, table, ms: Math.round(monotonic() - began) }, 'built an index')
    report(missing.length - i - 1)
  }
  return true
}
