import { sql } from 'kysely'
import { Gauge } from 'prom-client'
import type { Context } from '../context.ts'
import { migrations } from '../db/migrations/migrations.ts'
import { checkReplica } from '../db/postgres/replica.ts'
import { version } from '../package.ts'

/** Shows in the metrics which program runs, and whether its databases answer. One process does it for all. */
export function watchServer({ metrics, db, replica }: Context): void {
  const name = 'patchbay_info'
  metrics.registry.removeSingleMetric(name)
  new Gauge({
    name,
    help: 'Always 1: the version of the program and its last migration.',
    labelNames: ['version', 'migration'],
    registers: [metrics.registry],
  }).set({ version, migration: migrations.at(-1)?.name ?? '' }, 1)
  const isUp = (answer: Promise<unknown>) =>
    answer.then(
      () => 1,
      () => 0,
    )
  metrics.watch(
    'patchbay_database_up',
    'Whether the database answers: 1 or 0.',
    () => isUp(sql`select 1`.execute(db)),
    undefined,
    0,
  )
  metrics.watch(
    'patchbay_replica_up',
    'Whether exports can be read from the replica: 1 or 0; absent without one.',
    () => replica && isUp(checkReplica({ db, replica })),
    undefined,
    replica && 0,
  )
}
