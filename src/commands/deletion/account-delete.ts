import { ConfigError } from '../../config.ts'
import type { Context } from '../../context.ts'
import { freeSpace } from '../../db/free-space.ts'
import { REQUEST_MS } from '../../http/framing.ts'
import { withContext } from '../open.ts'
import { print } from '../printable.ts'
import { showProgress } from '../progress.ts'
import { inColumns } from '../results.ts'
import type { Command } from '../run.ts'
import { accountNamed } from '../user.ts'
import { type DeletionForecast, deleteAccount, forecastDeletion } from './account-deletion.ts'

export const accountDelete: Command = {
  name: 'account delete',
  summary:
    'Print what would go with an account. With --apply, delete the account for ever, while the server runs or not.',
  options: {
    account: { value: 'SUBDOMAIN', description: 'the account', required: true },
    'integrations-to': {
      value: 'SUBDOMAIN',
      description: 'the new developer account of its integrations and channels that other accounts use',
    },
    apply: { description: 'delete the account; nothing brings it back but a backup' },
  },
  run: ({ account: subdomain = '', 'integrations-to': heir, apply }) =>
    withContext(async (ctx) => {
      const account = await accountNamed(ctx, subdomain)
      const heir_id = heir === undefined ? null : await heirNamed(ctx, heir, account.id)
      if (apply === undefined) {
        print(textOf(await forecastDeletion(ctx, account.id)).join('\n'))
        process.stdout.write('\nNothing was deleted. --apply deletes the account for ever.\n')
        return
      }
      process.stderr.write(
        `Deleting. It takes at least ${REQUEST_MS / 1_000} s, in which begun requests end.\n`,
      )
      const report = (rows: number) => showProgress('deleted', rows)
      const { rows, people } = await deleteAccount(ctx, { account_id: account.id, heir_id, report })
      await freeSpace(ctx.db)
      process.stdout.write(`Account ${account.id} deleted. Rows: ${rows}, people: ${people}.\n`)
    }),
}

/** Finds the account that takes integrations over. Throws ConfigError if there is none, or if it is the deleted one. */
async function heirNamed(ctx: Context, subdomain: string, account_id: number): Promise<number> {
  const { id } = await accountNamed(ctx, subdomain)
  if (id === account_id) throw new ConfigError('--integrations-to names the account that is to be deleted.')
  return id
}

function textOf({ tables, people, shared }: DeletionForecast): string[] {
  return [
    ...inColumns([
      ...tables.map(({ name, rows }) => [name, String(rows)]),
      ['people in no other account', String(people)],
    ]),
    ...shared.map(
      ({ kind, name, id, accounts }) => `${kind} "${name}" (${id}), used in other accounts: ${accounts}`,
    ),
  ]
}
