import { sql } from 'kysely'
import { Gauge } from 'prom-client'
import type { Context } from '../context.ts'
import { migrations } from '../db/migrations/migrations.ts'
import { version } from '../package.ts'

/** Shows in the metrics which program runs, and whether its database answers. One process does it for all. */
export function watchServer({ metrics, db }: Context): void {
  const name = 'patchbay_info'
  metrics.registry.removeSingleMetric(name)
  new Gauge({
    name,
    help: 'Always 1: the version of the program and its last migration.',
    labelNames: ['version', 'migration'],
    registers: [metrics.registry],
  }).set({ version, migration: migrations.at(-1)?.name ?? '' }, 1)
  const isUp = () =>
    sql`select 1`.execute(db).then(
      () => 1,
      () => 0,
    )
  metrics.watch('patchbay_database_up', 'Whether the database answers: 1 or 0.', isUp)
}
