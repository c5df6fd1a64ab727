import { lockAccount } from './accounts/accounts.ts'
import type { Context, Furnish } from './context.ts'
import { furnishFields } from './custom-fields/custom-fields.ts'
import { accountsWithoutPipelines, furnishPipelines } from './pipelines/pipelines.ts'

/** What stands in an account from its first day, of every slice that has such things. */
export const furnish: Furnish = async (ctx, tx, account) => {
  await furnishFields(ctx, tx, account)
  await furnishPipelines(ctx, tx, account)
}

/** Furnishes the accounts that an older version opened: one query when there is nothing to do. */
export async function furnishAccounts(ctx: Context): Promise<void> {
  for (const { id } of await accountsWithoutPipelines(ctx.db)) {
    await ctx.db.transaction().execute(async (tx) => {
      // Another process that starts at the same time may have been first.
      const account = await lockAccount(tx, id)
      if ((await accountsWithoutPipelines(tx, id)).length > 0) await furnish(ctx, tx, account)
    })
  }
}
