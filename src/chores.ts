import { sweepPasswordLinks, sweepSessions } from './accounts/accounts.ts'
import { automationUpkeep } from './automation/automation.ts'
import { sweepCallNotices } from './call-notices/call-notices.ts'
import type { Context } from './context.ts'
import { deleteOldChanges } from './db/changed-tables.ts'
import { logFailedWork } from './db/failed-work.ts'
import { indexUpkeep } from './db/indexes/index-upkeep.ts'
import { followMasterKey } from './db/master-key.ts'
import { driveUpkeep } from './drive/drive.ts'
import { eraseTags, eraseValues, refreshSegments } from './entities/entities.ts'
import { sweepKeys } from './http/idempotency/idempotency.ts'
import { upkeep } from './integrations/integrations.ts'
import { jobUpkeep } from './jobs/jobs.ts'
import { sweepVisits } from './marketing/marketing.ts'
import { requestLogUpkeep } from './request-log/request-log.ts'
import { retentionUpkeep } from './retention/retention.ts'
import { sweepListeners, sweepOrders } from './webhooks/webhooks.ts'

export interface Chore {
  name: string
  every_seconds: number
  /** Whether each process does it, and not only one for all. */
  is_of_process?: boolean
  run(): Promise<void>
}

/** The periodic tasks of the server, such as deleting expired rows. */
export const choresOf = (ctx: Context): Chore[] => [
  {
    name: 'the master key in use',
    every_seconds: 60,
    is_of_process: true,
    async run() {
      if ((await followMasterKey(ctx.db, ctx.vault)) === false) throw new Error(CHANGED_KEY)
    },
  },
  { name: 'values of deleted fields', every_seconds: 3, run: () => eraseValues(ctx) },
  { name: 'deleted tags of records', every_seconds: 3, run: () => eraseTags(ctx) },
  { name: 'segments with a filter', every_seconds: 300, run: () => refreshSegments(ctx) },
  { name: 'old call notices', every_seconds: 3_600, run: () => sweepCallNotices(ctx) },
  { name: 'expired sessions', every_seconds: 3_600, run: () => sweepSessions(ctx) },
  { name: 'expired password links', every_seconds: 3_600, run: () => sweepPasswordLinks(ctx) },
  { name: 'old visits', every_seconds: 3_600, run: () => sweepVisits(ctx) },
  { name: 'expired idempotency keys', every_seconds: 3_600, run: () => sweepKeys(ctx) },
  { name: 'ended orders of webhooks', every_seconds: 3_600, run: () => sweepOrders(ctx) },
  { name: 'listeners that left', every_seconds: 60, run: () => sweepListeners(ctx) },
  { name: 'old entries of changed tables', every_seconds: 600, run: () => deleteOldChanges(ctx.db) },
  ...indexUpkeep(ctx),
  ...driveUpkeep(ctx),
  ...jobUpkeep(ctx),
  ...automationUpkeep(ctx),
  ...upkeep(ctx),
  ...requestLogUpkeep(ctx),
  ...retentionUpkeep(ctx),
]

const CHANGED_KEY =
  'The master key of the database was changed to one that this server does not have. Restart it with MASTER_KEY and MASTER_KEY_PREVIOUS.'

/** Seconds from the start to the first run of a task. A server that is often restarted would otherwise never delete anything. */
const FIRST_RUN = 120

/** Repeats a task until it is stopped. A run that fails is logged, and runs never overlap. */
export function startChore(ctx: Context, { name, every_seconds, run }: Chore): () => void {
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  const schedule = (seconds: number) => {
    if (!isStopped) timer = setTimeout(runOnce, seconds * 1000).unref()
  }
  const runOnce = async () => {
    try {
      await run()
    } catch (error) {
      ctx.metrics.chore_failures.inc({ chore: name })
      logFailedWork(ctx, error, 'a periodic task failed and will be repeated', { chore: name })
    }
    schedule(every_seconds)
  }
  schedule(Math.min(every_seconds, FIRST_RUN))
  return () => {
    isStopped = true
    clearTimeout(timer)
  }
}
