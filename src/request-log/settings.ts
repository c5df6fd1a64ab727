import { type Actor, changeRequestLog, type RequestLogSetting, requireAdmin } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import { requestLogOf } from './list.ts'

/** Whether the requests of the account are recorded. For administrators. */
export async function readSetting(ctx: Context, actor: Actor): Promise<RequestLogSetting> {
  requireAdmin(actor)
  const log = requestLogOf(ctx)
  await log.readSettings()
  return log.settingOf(actor.account_id)
}

/** Changes what is recorded from now on. Rows that exist stay until they are deleted. For administrators. */
export async function changeSetting(ctx: Context, actor: Actor, setting: RequestLogSetting): Promise<void> {
  await changeRequestLog(ctx, actor, setting)
  await requestLogOf(ctx).readSettings()
}
