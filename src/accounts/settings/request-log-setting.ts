import type { Context } from '../../context.ts'
import { auditAs } from '../audit/audit.ts'
import { type Actor, requireAdmin } from '../members/actor.ts'
import { lockAccount } from '../members/people-queries.ts'
import { type RequestLogColumns, updateAccountRow } from '../members/queries.ts'

/** Whether the requests of an account are recorded, for how many days, and with their bodies. */
export interface RequestLogSetting {
  is_on: boolean
  days: number
  keeps_bodies: boolean
}

/** Changes what the request log of the account records. For administrators. */
export async function changeRequestLog(
  ctx: Context,
  actor: Actor,
  { is_on, days, keeps_bodies }: RequestLogSetting,
): Promise<void> {
  requireAdmin(actor)
  await ctx.db.transaction().execute(async (tx) => {
    const account = await lockAccount(tx, actor.account_id)
    const wanted: Omit<RequestLogColumns, 'id'> = {
      is_request_log_on: is_on ? 1 : 0,
      request_log_days: days,
      keeps_request_bodies: keeps_bodies ? 1 : 0,
    }
    const changed = (Object.keys(wanted) as (keyof typeof wanted)[]).filter(
      (name) => wanted[name] !== account[name],
    )
    if (changed.length === 0) return
    await updateAccountRow(tx, account.id, { ...wanted, updated_at: ctx.now(), updated_by: actor.user_id })
    await auditAs(ctx, tx, actor, 'account.changed', { changed })
  })
}
