import type { Context } from '../../context.ts'
import type { Db } from '../../db/database.ts'
import { cached } from '../../db/prepared.ts'
import type { AccountRow } from '../../db/tables.ts'
import { self } from '../../http/hal.ts'
import type { Actor } from '../members/actor.ts'
import { listTaskTypes, selectAccount } from '../members/queries.ts'
import { listGroupRows } from '../members/role-queries.ts'
import type { Account } from '../members/schemas.ts'
import { entityNames } from './entity-names.ts'

/** Values of `with`, in the order in which the response lists them (docs/wire/account.md#account). */
export const accountParts = [
  'amojo_id',
  'uuid',
  'version',
  'drive_url',
  'is_api_filter_enabled',
  'entity_names',
  'invoices_settings',
  'amojo_rights',
  'users_groups',
  'task_types',
  'datetime_settings',
] as const
export type AccountPart = (typeof accountParts)[number]

/** The hook of the slice above that has the lists. */
export interface AccountHooks {
  /** The list of invoices, unless there is none that the actor can see. */
  invoicesList(db: Db, actor: Actor): Promise<number | null>
}

/** Base URLs for the links in a response, without a trailing slash. */
export interface Place {
  origin: string
  /** The URL of the surface, for example `https://demo.example.com/api/v4`. */
  base: string
}

/** Reads the actor's account with the requested parts. Without parts, this is one prepared statement. */
export async function readAccount(
  ctx: Context,
  hooks: AccountHooks,
  actor: Actor,
  parts: Set<AccountPart>,
  place: Place,
): Promise<Account> {
  const [account] = (await accountById(ctx.db, { id: actor.account_id })) as [AccountRow]
  const _links = self(`${place.base}/account`)
  const root = rootOf(account, actor.user_id)
  if (parts.size === 0) return { ...root, _links }
  const members: Record<string, unknown> = {}
  const embedded: Record<string, unknown> = {}
  for (const part of parts) {
    if (part in rootParts) members[part] = rootParts[part as keyof typeof rootParts](account, place)
    else if (part === 'invoices_settings')
      members[part] = {
        lang: account.language,
        invoices_catalog_id: await hooks.invoicesList(ctx.db, actor),
      }
    else embedded[part] = await embeddedParts[part as keyof typeof embeddedParts](ctx, account)
  }
  const _embedded = Object.keys(embedded).length > 0 ? { _embedded: embedded } : {}
  return { ...root, ...members, _links, ..._embedded } as Account
}

const accountById = cached((db, at: { id: number }) => selectAccount(db).where('id', '=', at.id))

/** The language of the actor's account. */
export async function accountLanguage(ctx: Context, { account_id }: Actor): Promise<string> {
  const [account] = (await accountById(ctx.db, { id: account_id })) as [AccountRow]
  return account.language
}

/** The platform's interface version. Clients only display it. */
const INTERFACE_VERSION = 16

const rootOf = (account: AccountRow, current_user_id: number): Omit<Account, '_links'> => ({
  id: account.id,
  name: account.name,
  subdomain: account.subdomain,
  created_at: account.created_at,
  created_by: account.created_by,
  updated_at: account.updated_at,
  updated_by: account.updated_by,
  current_user_id,
  country: account.country,
  currency: account.currency,
  currency_symbol: account.currency_symbol,
  customers_mode: account.customers_mode,
  is_unsorted_on: account.is_unsorted_on === 1,
  mobile_feature_version: 0,
  is_loss_reason_enabled: account.is_loss_reason_enabled === 1,
  is_helpbot_enabled: account.is_helpbot_enabled === 1,
  is_technical_account: false,
  contact_name_display_order: account.contact_name_display_order,
  language: account.language,
})

const rootParts = {
  amojo_id: (account: AccountRow) => account.amojo_id,
  uuid: (account: AccountRow) => account.uuid,
  version: () => INTERFACE_VERSION,
  drive_url: (_account: AccountRow, { origin }: Place) => `${origin}/drive`,
  is_api_filter_enabled: () => true,
  entity_names: () => entityNames,
}

const embeddedParts = {
  // Members cannot write to each other in this product.
  amojo_rights: async () => ({ can_direct: false, can_create_groups: false }),
  users_groups: async (ctx: Context, { id }: AccountRow) => listGroupRows(ctx.db, id),
  task_types: async (ctx: Context, { id }: AccountRow) => listTaskTypes(ctx.db, id),
  datetime_settings: async (ctx: Context, { timezone }: AccountRow) => ({
    date_pattern: 'd.m.Y H:i',
    short_date_pattern: 'd.m.Y',
    short_time_pattern: 'H:i',
    date_format: 'd.m.Y',
    time_format: 'H:i:s',
    timezone,
    timezone_offset: offsetOf(timezone, ctx.clock()),
  }),
}

/** The UTC offset at a time in Unix milliseconds, for example `+03:00`; includes daylight saving time. */
export function offsetOf(timezone: string, at: number): string {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: timezone, timeZoneName: 'longOffset' })
  const name = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT'
  return name.slice('GMT'.length) || '+00:00'
}
