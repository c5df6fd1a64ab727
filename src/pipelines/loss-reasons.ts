import { isDeepStrictEqual } from 'node:util'
import { type Actor, auditAs } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import { nextIds } from '../db/dialect.ts'
import type { LossReasonRow } from '../db/tables.ts'
import { Refusal } from '../errors.ts'
import { administrate } from './administration.ts'
import {
  deleteLossReason,
  insertLossReasons,
  listLossReasonRows,
  replaceLossReason,
} from './loss-reason-queries.ts'
import type { LossReasonPatch, NewLossReason } from './schemas.ts'

const MAX_REASONS = 250

/** All loss reasons in their order, for everybody. */
export function listLossReasons(ctx: Context, actor: Actor): Promise<LossReasonRow[]> {
  return listLossReasonRows(ctx.db, actor.account_id)
}

export async function readLossReason(ctx: Context, actor: Actor, id: number): Promise<LossReasonRow> {
  return pick(await listLossReasons(ctx, actor), id)
}

function pick(reasons: LossReasonRow[], id: number): LossReasonRow {
  const found = reasons.find((reason) => reason.id === id)
  if (!found) throw new Refusal('not_found', 'Loss reason not found in this account.')
  return found
}

/** Adds all or none. A reason without a position comes last. */
export async function addLossReasons(
  ctx: Context,
  actor: Actor,
  drafts: NewLossReason[],
): Promise<LossReasonRow[]> {
  return administrate(ctx, actor, async (tx, { id: account_id }) => {
    const before = await listLossReasonRows(tx, account_id)
    if (before.length + drafts.length > MAX_REASONS)
      throw new Refusal('conflict', `An account can have at most ${MAX_REASONS} loss reasons.`, {
        code: 'loss_reason_limit',
      })
    const now = ctx.now()
    const last = before.at(-1)?.sort ?? 0
    const ids = await nextIds(tx, 'loss_reasons', drafts.length)
    const rows = drafts.map(({ name, sort }, i) => ({
      account_id,
      id: ids[i] as number,
      name,
      sort: sort ?? Math.min(last + (i + 1) * 10, Number.MAX_SAFE_INTEGER),
      created_at: now,
      updated_at: now,
    }))
    await insertLossReasons(tx, rows)
    await auditAs(ctx, tx, actor, 'loss_reason.added', ...rows.map(({ id, name }) => ({ id, name })))
    return rows
  })
}

export async function changeLossReason(
  ctx: Context,
  actor: Actor,
  id: number,
  { name, sort }: LossReasonPatch,
): Promise<LossReasonRow> {
  return administrate(ctx, actor, async (tx, { id: account_id }) => {
    const reason = pick(await listLossReasonRows(tx, account_id), id)
    const changed = { ...reason, name: name ?? reason.name, sort: sort ?? reason.sort }
    if (isDeepStrictEqual(changed, reason)) return reason
    const row = { ...changed, updated_at: ctx.now() }
    await replaceLossReason(tx, row)
    await auditAs(ctx, tx, actor, 'loss_reason.changed', { id, name: row.name })
    return row
  })
}

/** Leads that were lost for this reason keep its id and no longer show a reason. */
export async function removeLossReason(ctx: Context, actor: Actor, id: number): Promise<void> {
  await administrate(ctx, actor, async (tx, { id: account_id }) => {
    const reason = pick(await listLossReasonRows(tx, account_id), id)
    await deleteLossReason(tx, reason)
    await auditAs(ctx, tx, actor, 'loss_reason.removed', { id, name: reason.name })
  })
}
