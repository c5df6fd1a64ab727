import { lockAccount } from './accounts/accounts.ts'
import { seedBot } from './chats/chats.ts'
import type { Context, SeedDefaults } from './context.ts'
import { seedFields } from './custom-fields/custom-fields.ts'
import { accountsWithoutPipelines, seedPipelines } from './pipelines/pipelines.ts'

/** The defaults of a new account, from every slice that has some. */
export const seedDefaults: SeedDefaults = async (ctx, tx, account) => {
  await seedFields(ctx, tx, account)
  await seedPipelines(ctx, tx, account)
  await seedBot(ctx, tx, account)
}

/** Adds missing defaults to accounts of an older version; two queries if there is nothing to do. */
export async function seedAccounts(ctx: Context): Promise<void> {
  for (const { id } of await accountsWithoutPipelines(ctx.db)) {
    await ctx.db.transaction().execute(async (tx) => {
      // A concurrent process may have added them first.
      const account = await lockAccount(tx, id)
      if ((await accountsWithoutPipelines(tx, id)).length > 0) await seedDefaults(ctx, tx, account)
    })
  }
}
