import { requestLogSetting } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import { isPostgres } from '../db/dialect.ts'
import { forgetRequests, requestLogOf } from './list.ts'
import { recordedAccounts } from './queries.ts'

/** Requests of one account that are kept, and those of the batch that passes this number. */
const MOST_ROWS = 20_000
const DAY_MS = 86_400_000

/** The periodic jobs of this slice. */
export function requestLogUpkeep(ctx: Context) {
  return [
    {
      name: 'settings of the request log',
      every_seconds: 5,
      is_of_process: true,
      run: () => followSettings(ctx),
    },
    {
      name: 'rows above the limit of the request log',
      every_seconds: 10,
      is_of_process: true,
      run: () => deleteExcess(ctx),
    },
    { name: 'old rows of the request log', every_seconds: 3_600, run: () => deleteOld(ctx) },
  ]
}

/** Another process can have changed the setting of an account. */
async function followSettings(ctx: Context): Promise<void> {
  if (isPostgres(ctx.db) || ctx.config.workers > 1) await requestLogOf(ctx).readSettings()
}

/** Keeps the newest requests of each account that has recorded requests since the last time. */
export async function deleteExcess(ctx: Context, most = MOST_ROWS): Promise<void> {
  const log = requestLogOf(ctx)
  const accounts = [...log.written.keys()]
  log.written.clear()
  for (const account_id of accounts) await forgetRequests(ctx, account_id, (_batch, newer) => newer >= most)
}

/** Deletes rows that are older than the setting of their account says, and those of accounts that do not exist any more. */
export async function deleteOld(ctx: Context): Promise<void> {
  const log = requestLogOf(ctx)
  for (const account_id of await recordedAccounts(log.store)) {
    const setting = await requestLogSetting(ctx.db, account_id)
    const oldest = ctx.clock() - (setting?.request_log_days ?? 0) * DAY_MS
    await forgetRequests(ctx, account_id, ({ at }) => setting === undefined || at < oldest)
  }
}
