import type { Actor } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import { invalid } from '../../errors.ts'
import { loadAccess } from '../records/access.ts'
import { lockCustomer } from './customer-totals.ts'

/** Points to earn or to redeem; exactly one of the two. */
export interface BonusDraft {
  earn?: number | undefined
  redeem?: number | undefined
}

/** Changes a customer's points and returns the new balance. Requires the right to edit the customer. */
export async function changeBonusPoints(
  ctx: Context,
  actor: Actor,
  customer_id: number,
  { earn, redeem }: BonusDraft,
): Promise<number> {
  if (earn === undefined && redeem === undefined)
    throw invalid('earn', 'FieldMissing', 'Either earn or redeem is required.')
  if (earn !== undefined && redeem !== undefined)
    throw invalid('redeem', 'NotSupportedChoice', 'Only one of earn and redeem is allowed.')
  return ctx.db.transaction().execute(async (tx) => {
    const access = await loadAccess(tx, actor)
    const { customer, save } = await lockCustomer(ctx, tx, access, customer_id)
    const points = (customer.bonus_points ?? 0) + (earn ?? 0) - (redeem ?? 0)
    if (points < 0) throw invalid('redeem', 'OutOfRange', 'The customer has fewer points than this.')
    if (!Number.isSafeInteger(points))
      throw invalid('earn', 'OutOfRange', "The customer's points would exceed the maximum.")
    customer.bonus_points = points
    await save()
    return points
  })
}
