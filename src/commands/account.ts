import { changePaidUntil, createAccount, type ListedAccount, listAccounts } from '../accounts/accounts.ts'
import { AccountPatch, FirstSetUp } from '../accounts/members/schemas.ts'
import { ConfigError } from '../config.ts'
import { createHosts } from '../http/hosts.ts'
import { checked } from './checked.ts'
import { accountDelete } from './deletion/account-delete.ts'
import { addressOfServer } from './known-server.ts'
import { withContext } from './open.ts'
import { inColumns, jsonOption, printResult } from './results.ts'
import type { Command } from './run.ts'
import { accountNamed } from './user.ts'

const accountList: Command = {
  name: 'account list',
  summary: 'List the accounts of the server.',
  options: jsonOption,
  run: (options) =>
    withContext(async (ctx) => {
      const accounts = await listAccounts(ctx.db)
      const rows = accounts.map((one) => [String(one.id), one.subdomain, one.name, stateOf(one, ctx.now())])
      printResult(options, accounts, inColumns(rows))
    }),
}

const stateOf = ({ people, paid_until }: ListedAccount, now: number): string =>
  `people: ${people}${paid_until !== null && paid_until <= now ? ', unpaid' : ''}`

const accountCreate: Command = {
  name: 'account create',
  summary: 'Create an account.',
  options: {
    subdomain: { value: 'NAME', description: 'subdomain of PUBLIC_URL', required: true },
    name: { value: 'NAME', description: 'displayed name', required: true },
    language: { value: 'CODE', description: 'en, es, ru or pt [en]' },
    country: { value: 'CODE', description: 'two letters [US]' },
    currency: { value: 'CODE', description: 'three letters [USD]' },
    timezone: { value: 'ZONE', description: 'for example Europe/Lisbon [UTC]' },
    ...jsonOption,
  },
  async run({ subdomain = '', name = '', language, country, currency, timezone, ...options }) {
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
      const public_url = addressOfServer(ctx.config, process.env)
      const account = await ctx.db.transaction().execute((tx) => createAccount(ctx, tx, draft))
      const { id } = account
      const url = createHosts({ ...ctx.config, public_url }).accountUrl(account.subdomain)
      printResult(options, { id, subdomain: account.subdomain, url }, [`Account ${id}: ${url}`])
    })
  },
}

const named = { account: { value: 'SUBDOMAIN', description: 'the account', required: true } }

const accountUnpaid: Command = {
  name: 'account unpaid',
  summary: 'Make an account unpaid. Its API returns 402, to test how an integration handles this.',
  options: named,
  run: ({ account = '' }) => setPaid(account, { is_paid: false }),
}

const accountPaid: Command = {
  name: 'account paid',
  summary: 'Make an account paid again, permanently or until a date.',
  options: {
    ...named,
    until: { value: 'DATE', description: 'first unpaid day, for example 2027-01-31 (UTC)' },
  },
  run: ({ account = '', until }) => setPaid(account, { is_paid: true, until }),
}

async function setPaid(
  subdomain: string,
  { is_paid, until }: { is_paid: boolean; until?: string | undefined },
): Promise<void> {
  await withContext(async (ctx) => {
    const { id } = await accountNamed(ctx, subdomain)
    const paid_until = is_paid ? (until === undefined ? null : dayOf(until)) : ctx.now()
    await changePaidUntil(ctx, { account_id: id, user_id: 0, request_id: 'command line' }, paid_until)
    process.stdout.write(
      `Account ${id}: ${is_paid ? `paid ${until ? `until ${until}` : 'for good'}` : 'unpaid'}\n`,
    )
  })
}

/** The Unix second at which a day begins in UTC. */
function dayOf(text: string): number {
  const ms = Date.parse(`${text}T00:00:00Z`)
  // A day beyond the end of its month is read as one of the next.
  if (Number.isNaN(ms) || !new Date(ms).toISOString().startsWith(`${text}T`))
    throw new ConfigError(`--until is not a date such as 2027-01-31: ${text}`)
  return ms / 1000
}

export const accountCommands: Command[] = [
  ...[accountList, accountCreate, accountPaid, accountUnpaid],
  accountDelete,
]
