import { randomUUID } from 'node:crypto'
import type { Context } from '../../context.ts'
import type { Tx } from '../../db/database.ts'
import { nextId } from '../../db/dialect.ts'
import { isUniqueViolation } from '../../db/failures.ts'
import type { AccountRow } from '../../db/tables.ts'
import { invalid } from '../../errors.ts'
import { defaultGroup, defaultRole, defaultTaskTypes } from '../members/account-defaults.ts'
import { insertAccount } from '../members/queries.ts'
import { currencySign } from './currencies.ts'
import { requireKnown } from './known-settings.ts'

export interface AccountDraft {
  name: string
  subdomain: string
  language?: string
  country?: string
  currency?: string
  timezone?: string
}

/**
 * Creates an account with its defaults. Throws Refusal('invalid') if the subdomain is taken or reserved for the
 * server, or a time zone, country or currency is unknown.
 */
export async function createAccount(ctx: Context, tx: Tx, draft: AccountDraft): Promise<AccountRow> {
  const { subdomain, ...settings } = draft
  requireKnown(settings)
  if (ctx.hosts.isReserved(subdomain))
    throw invalid('subdomain', 'NotSupportedChoice', 'This subdomain is reserved for the server.')
  const now = ctx.now()
  const language = draft.language ?? 'en'
  const currency = draft.currency ?? 'USD'
  const account: AccountRow = {
    id: await nextId(tx, 'accounts'),
    uuid: randomUUID(),
    amojo_id: randomUUID(),
    subdomain,
    name: draft.name,
    country: draft.country ?? 'US',
    currency,
    currency_symbol: currencySign(currency),
    language,
    timezone: draft.timezone ?? 'UTC',
    customers_mode: 'segments',
    contact_name_display_order: 1,
    is_unsorted_on: 1,
    are_chats_unsorted: 0,
    is_loss_reason_enabled: 1,
    is_helpbot_enabled: 0,
    webhook_plan: 'patient',
    is_request_log_on: null,
    request_log_days: 3,
    keeps_request_bodies: 1,
    paid_until: null,
    created_at: now,
    created_by: 0,
    updated_at: now,
    updated_by: 0,
  }
  try {
    await insertAccount(
      tx,
      account,
      defaultGroup(account.id, language),
      defaultRole(account.id, await nextId(tx, 'roles'), language),
      defaultTaskTypes(account.id, language),
    )
  } catch (error) {
    if (isUniqueViolation(error)) throw invalid('subdomain', 'NotUnique', 'This subdomain is taken.')
    throw error
  }
  await ctx.seedDefaults(ctx, tx, account)
  return account
}
