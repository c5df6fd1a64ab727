import { lockAccount } from './accounts/accounts.ts'
import type { Context, SeedDefaults } from './context.ts'
import { seedFields } from './custom-fields/custom-fields.ts'
import { accountsWithoutPipelines, seedPipelines } from './pipelines/pipelines.ts'

/** What stands in an account from its first day, of every slice that has such things. */
export const seedDefaults: SeedDefaults = async (ctx, tx, account) => {
  await seedFields(ctx, tx, account)
  await seedPipelines(ctx, tx, account)
}

/** Adds the defaults to the accounts that an older version opened: one query when there is nothing to do. */
export async function seedAccounts(ctx: Context): Promise<void> {
  for (const { id } of await accountsWithoutPipelines(ctx.db)) {
    await ctx.db.transaction().execute(async (tx) => {
      // Another process that starts at the same time may have been first.
      const account = await lockAccount(tx, id)
      if ((await accountsWithoutPipelines(tx, id)).length > 0) await seedDefaults(ctx, tx, account)
    })
  }
}
