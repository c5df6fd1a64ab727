import { accountSubdomain } from '../accounts/accounts.ts'
import type { Db, Tx } from '../db/database.ts'
import { prepared } from '../db/prepared.ts'
import { insertRows } from '../db/row-sets.ts'
import type { ShortLinkRow } from '../db/tables.ts'

export const insertShortLinks = (tx: Tx, rows: ShortLinkRow[]): Promise<void> =>
  insertRows(tx, 'short_links', rows)

const shortLink = prepared((db, at: { token: string }) =>
  db
    .selectFrom('short_links')
    .selectAll()
    .select(accountSubdomain(db, 'short_links.account_id').as('subdomain'))
    .where('token', '=', at.token),
)

/** A short link with the subdomain of its account, by its token. */
export async function findShortLinkRow(db: Db, token: string) {
  const [row] = await shortLink(db, { token })
  return row
}
