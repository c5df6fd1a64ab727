import { isDeepStrictEqual } from 'node:util'
import { type Actor, auditAs } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import type { Tx } from '../db/database.ts'
import { nextIds } from '../db/dialect.ts'
import type { CustomerStatusRow } from '../db/tables.ts'
import { Refusal } from '../errors.ts'
import { administrate } from './administration.ts'
import {
  deleteCustomerStatus,
  findCustomerStatuses,
  insertCustomerStatuses,
  lockCustomerStatus,
  replaceCustomerStatus,
} from './customer-status-queries.ts'
import type { CustomerStatusPatch, NewCustomerStatus } from './schemas.ts'
import { DEFAULT_COLOR } from './stage-colors.ts'
import type { StageUse } from './stage-use.ts'

const MAX_STATUSES = 30

/** The stages of customers in their order, for everybody. */
export function listCustomerStatuses(ctx: Context, { account_id }: Actor): Promise<CustomerStatusRow[]> {
  return findCustomerStatuses(ctx.db, { account_id })
}

export async function readCustomerStatus(ctx: Context, actor: Actor, id: number): Promise<CustomerStatusRow> {
  return pick(await listCustomerStatuses(ctx, actor), id)
}

function pick(statuses: CustomerStatusRow[], id: number): CustomerStatusRow {
  const found = statuses.find((status) => status.id === id)
  if (!found) throw new Refusal('not_found', 'Customer stage not found in this account.')
  return found
}

/** Adds all or none. */
export async function addCustomerStatuses(
  ctx: Context,
  actor: Actor,
  drafts: NewCustomerStatus[],
): Promise<CustomerStatusRow[]> {
  return whereCustomersAre(ctx, actor, async (tx, before) => {
    if (before.length + drafts.length > MAX_STATUSES)
      throw refused(`An account can have at most ${MAX_STATUSES} customer stages.`, 'customer_status_limit')
    const ids = await nextIds(tx, 'customer_statuses', drafts.length)
    const rows = drafts.map(
      ({ name, sort, color }, i): CustomerStatusRow => ({
        account_id: actor.account_id,
        id: ids[i] as number,
        name,
        sort,
        color: color ?? DEFAULT_COLOR,
        is_default: 0,
        type: 0,
      }),
    )
    await insertCustomerStatuses(tx, rows)
    await auditAs(ctx, tx, actor, 'customer_status.added', ...rows.map(({ id, name }) => ({ id, name })))
    return rows
  })
}

export async function changeCustomerStatus(
  ctx: Context,
  actor: Actor,
  id: number,
  { name, sort, color }: CustomerStatusPatch,
): Promise<CustomerStatusRow> {
  return whereCustomersAre(ctx, actor, async (tx, before) => {
    const status = pick(before, id)
    const changed = {
      ...status,
      name: name ?? status.name,
      sort: sort ?? status.sort,
      color: color ?? status.color,
    }
    if (isDeepStrictEqual(changed, status)) return status
    await replaceCustomerStatus(tx, changed)
    await auditAs(ctx, tx, actor, 'customer_status.changed', { id, name: changed.name })
    return changed
  })
}

/** Deletes a stage. Refuses the default stage, and stages with customers. */
export async function removeCustomerStatus(
  ctx: Context,
  actor: Actor,
  use: StageUse,
  id: number,
): Promise<void> {
  await whereCustomersAre(ctx, actor, async (tx, before) => {
    const status = pick(before, id)
    if (status.is_default === 1)
      throw refused('This is the stage of new customers. It cannot be deleted.', 'default_customer_status')
    await lockCustomerStatus(tx, status)
    if (await use.hasCustomers(tx, actor.account_id, id))
      throw refused('The stage has customers.', 'customer_status_in_use')
    await deleteCustomerStatus(tx, status)
    await auditAs(ctx, tx, actor, 'customer_status.removed', { id, name: status.name })
  })
}

/** Runs a change by an administrator if customers are enabled. */
function whereCustomersAre<T>(
  ctx: Context,
  actor: Actor,
  change: (tx: Tx, before: CustomerStatusRow[]) => Promise<T>,
): Promise<T> {
  return administrate(ctx, actor, async (tx, { id: account_id, customers_mode }) => {
    if (customers_mode === 'unavailable' || customers_mode === 'disabled')
      throw new Refusal('unprocessable', 'Customers are disabled in this account.', {
        code: 'customers_disabled',
      })
    return change(tx, await findCustomerStatuses(tx, { account_id }))
  })
}

const refused = (detail: string, code: string) => new Refusal('conflict', detail, { code })
