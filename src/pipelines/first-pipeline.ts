import type { Context } from '../context.ts'
import type { Tx } from '../db/database.ts'
import { nextIds } from '../db/dialect.ts'
import type { AccountRow } from '../db/tables.ts'
import { insertCustomerStatuses } from './customer-status-queries.ts'
import { insertLossReasons } from './loss-reason-queries.ts'
import { firstColors } from './stage-colors.ts'
import { makePipelines } from './stage-drafts.ts'
import { inLanguage } from './stage-names.ts'

/** Creates the main pipeline, the loss reasons and the customer stages of a new account, in its language. */
export async function seedPipelines(ctx: Context, tx: Tx, account: AccountRow): Promise<void> {
  const now = ctx.now()
  const account_id = account.id
  const { pipeline, loss_reasons, customer_statuses } = inLanguage(account.language)
  const main = { name: pipeline, sort: 1, is_main: true, is_unsorted_on: true }
  await makePipelines(tx, account, [main], { user_id: 0, now })
  const reasons = await nextIds(tx, 'loss_reasons', loss_reasons.length)
  await insertLossReasons(
    tx,
    loss_reasons.map((name, i) => ({
      account_id,
      id: reasons[i] as number,
      name,
      sort: (i + 1) * 10,
      created_at: now,
      updated_at: now,
    })),
  )
  const statuses = await nextIds(tx, 'customer_statuses', customer_statuses.length)
  await insertCustomerStatuses(
    tx,
    customer_statuses.map((name, i) => ({
      account_id,
      id: statuses[i] as number,
      name,
      sort: (i + 1) * 10,
      color: firstColors[i] as string,
      is_default: i === 0 ? 1 : 0,
      type: 0,
    })),
  )
}
