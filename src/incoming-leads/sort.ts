import { type Actor, findMembers } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import type { Tx } from '../db/database.ts'
import type { IncomingLeadRow } from '../db/tables.ts'
import {
  type Access,
  can,
  discardInside,
  editInside,
  insufficientRights,
  loadAccess,
  lockIncomingLead,
  notFound,
  type RecordReference,
  type Written,
} from '../entities/entities.ts'
import { invalidChoice } from '../errors.ts'
import { findStages } from '../pipelines/pipelines.ts'
import { findWaiting } from './queries.ts'
import { type RecordIds, recordsOf } from './view.ts'

/** An incoming lead that was accepted or declined, and its records. */
export interface Sorted {
  row: IncomingLeadRow
  records: RecordIds
}

/** Accepts an incoming lead: it gets the given stage, or the first one after the incoming stage (I3). */
export function acceptIncoming(
  ctx: Context,
  actor: Actor,
  uid: string,
  { user_id, status_id }: { user_id?: number | undefined; status_id?: number | undefined },
  written: Written,
): Promise<Sorted> {
  return ctx.db.transaction().execute(async (tx) => {
    const by = await onBehalf(tx, actor, user_id)
    const access = await loadAccess(tx, by)
    const row = await lockWaiting(tx, access, uid)
    const first = (await findStages(tx, by.account_id)).first(row.pipeline_id)
    const patch = { id: row.lead_id, status_id: status_id || first }
    await editInside(ctx, tx, access, 'leads', [patch], 'path', { written })
    return { row, records: (await recordsOf(tx, access, [row.lead_id]))(row.lead_id) }
  })
}

/** Declines an incoming lead: it goes to the trash, with the contact and the company that came with it (I5). */
export function declineIncoming(
  ctx: Context,
  actor: Actor,
  uid: string,
  { user_id }: { user_id?: number | undefined },
): Promise<Sorted> {
  return ctx.db.transaction().execute(async (tx) => {
    const access = await loadAccess(tx, await onBehalf(tx, actor, user_id))
    const row = await lockWaiting(tx, access, uid)
    const records = (await recordsOf(tx, access, [row.lead_id]))(row.lead_id)
    await discardInside(ctx, tx, access, 'leads', [{ id: row.lead_id }], 'path')
    return { row, records }
  })
}

/**
 * Locks a waiting incoming lead, together with the other records that the request writes (R7). Throws Refusal('not_found')
 * if the person does not see such a lead.
 */
export async function lockWaiting(
  tx: Tx,
  access: Access,
  uid: string,
  othersOf: (row: IncomingLeadRow) => Promise<Pick<RecordReference, 'entity_type' | 'id'>[]> = async () => [],
): Promise<IncomingLeadRow> {
  const { account_id } = access.actor
  const found = await findWaiting(tx, account_id, uid)
  const lead = found && (await lockIncomingLead(tx, account_id, found.lead_id, await othersOf(found)))
  if (!lead || !can(access, 'view', lead)) throw notFound()
  return found
}

/** The caller, or the person whom an administrator names. */
export async function onBehalf(tx: Tx, actor: Actor, user_id: number | undefined): Promise<Actor> {
  if (!user_id || user_id === actor.user_id) return actor
  const members = await findMembers(tx, actor.account_id)
  const active = [...members.values()].filter(({ is_active }) => is_active).map(({ user_id }) => user_id)
  if (!actor.is_admin) throw insufficientRights()
  if (!active.includes(user_id)) throw invalidChoice('user_id', active)
  return { ...actor, user_id }
}
