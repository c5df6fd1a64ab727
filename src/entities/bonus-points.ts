import type { Actor } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import { invalid } from '../errors.ts'
import { loadAccess } from './access.ts'
import { lockCustomer } from './customer-totals.ts'

/** Points that a customer gets, or those that he spends: one of the two. */
export interface BonusDraft {
  earn?: number | undefined
  redeem?: number | undefined
}

/** Changes a customer's points, for who may change the customer, and answers what he has then. */
export async function changeBonusPoints(
  ctx: Context,
  actor: Actor,
  customer_id: number,
  { earn, redeem }: BonusDraft,
): Promise<number> {
  if (earn === undefined && redeem === undefined)
    throw invalid('earn', 'FieldMissing', 'Either earn or redeem is given.')
  if (earn !== undefined && redeem !== undefined)
    throw invalid('redeem', 'NotSupportedChoice', 'Either earn or redeem is given, not both.')
  return ctx.db.transaction().execute(async (tx) => {
    const access = await loadAccess(tx, actor)
    const { customer, save } = await lockCustomer(ctx, tx, access, customer_id)
    const points = (customer.bonus_points ?? 0) + (earn ?? 0) - (redeem ?? 0)
    if (points < 0) throw invalid('redeem', 'OutOfRange', 'The customer has fewer points.')
    if (!Number.isSafeInteger(points))
      throw invalid('earn', 'OutOfRange', 'The customer would have more points than can be kept.')
    customer.bonus_points = points
    await save()
    return points
  })
}
