import { createAccount } from '../accounts/accounts.ts'
import { AccountPatch, FirstSetUp } from '../accounts/schemas.ts'
import { checked } from './checked.ts'
import { withContext } from './open.ts'
import type { Command } from './run.ts'

export const accountCreate: Command = {
  name: 'account create',
  summary: 'Open an account.',
  options: {
    subdomain: { value: 'NAME', description: 'its address under PUBLIC_URL', required: true },
    name: { value: 'NAME', description: 'what people call it', required: true },
    language: { value: 'CODE', description: 'en, es, ru or pt [en]' },
    country: { value: 'CODE', description: 'two letters [US]' },
    currency: { value: 'CODE', description: 'three letters [USD]' },
    timezone: { value: 'ZONE', description: 'for example Europe/Lisbon [UTC]' },
  },
  async run({ subdomain = '', name = '', language, country, currency, timezone }) {
    await withContext(async (ctx) => {
      const draft = {
        ...checked(FirstSetUp.properties.account, { subdomain, name }),
        ...checked(AccountPatch, {
          language: language as AccountPatch['language'],
          country,
          currency,
          timezone,
        }),
      }
      const account = await ctx.db.transaction().execute((tx) => createAccount(ctx, tx, draft))
      process.stdout.write(`Account ${account.id}: ${ctx.hosts.accountUrl(account.subdomain)}\n`)
    })
  },
}
