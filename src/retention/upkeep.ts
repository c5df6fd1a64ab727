import type { Context } from '../context.ts'
import { freeSpace } from '../db/free-space.ts'
import { planAccounts } from './plans.ts'
import { reportSizes, tableFigures, wholeFigures } from './sizes.ts'

/** The periodic jobs of this slice. */
export function retentionUpkeep(ctx: Context) {
  return [
    { name: 'deletions of new accounts', every_seconds: 3_600, run: () => planAccounts(ctx) },
    { name: 'free pages of the database', every_seconds: 60, run: () => freeSpace(ctx.db) },
    { name: 'sizes of the tables', every_seconds: 600, run: () => reportSizes(ctx) },
  ]
}

/** Adds the sizes to the metrics. A process that has measured nothing adds none, so the sum of all processes is right. */
export function watchSizes(ctx: Context): void {
  const { metrics } = ctx
  metrics.watch(
    'patchbay_table_bytes',
    'Bytes of each table with its indexes.',
    () => tableFigures(ctx, 'bytes'),
    'table',
  )
  metrics.watch('patchbay_table_rows', 'Rows of each table.', () => tableFigures(ctx, 'rows'), 'table')
  metrics.watch(
    'patchbay_database_bytes',
    'Bytes of the database, used and free.',
    () => wholeFigures(ctx),
    'state',
  )
}
