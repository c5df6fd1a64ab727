import { type Actor, findMembers } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import type { Tx } from '../db/database.ts'
import type { IncomingLeadRow } from '../db/tables.ts'
import {
  type Access,
  beginWrite,
  can,
  discardInside,
  editInside,
  insufficientRights,
  lockIncomingLeads,
  notFound,
  type RecordReference,
  type Written,
} from '../entities/entities.ts'
import { invalidChoice } from '../errors.ts'
import { findStages } from '../pipelines/pipelines.ts'
import { findWaiting, findWaitingAmong } from './queries.ts'
import { type RecordIds, recordsOf } from './view.ts'

/** An incoming lead that was accepted or declined, and its records. */
export interface Sorted {
  row: IncomingLeadRow
  records: RecordIds
}

/** Accepts incoming leads, all or none: each gets the given stage, or the first one after the incoming stage (I3). */
export function acceptIncoming(
  ctx: Context,
  actor: Actor,
  uids: readonly string[],
  { user_id, status_id }: { user_id?: number | undefined; status_id?: number | undefined },
  written: Written,
): Promise<Sorted[]> {
  return ctx.db.transaction().execute(async (tx) => {
    const by = await onBehalf(tx, actor, user_id)
    const write = await beginWrite(ctx, tx, by)
    const rows = await lockAllWaiting(tx, write.access, uids)
    const stages = await findStages(tx, by.account_id)
    const patches = rows.map(({ lead_id, pipeline_id }) => ({
      id: lead_id,
      status_id: status_id || stages.first(pipeline_id),
    }))
    await editInside(write, 'leads', patches, 'path', { written })
    return withRecords(tx, write.access, rows)
  })
}

/** Declines incoming leads, all or none: they go to the trash, with the contacts and companies that came with them (I5). */
export function declineIncoming(
  ctx: Context,
  actor: Actor,
  uids: readonly string[],
  { user_id }: { user_id?: number | undefined },
): Promise<Sorted[]> {
  return ctx.db.transaction().execute(async (tx) => {
    const write = await beginWrite(ctx, tx, await onBehalf(tx, actor, user_id))
    const rows = await lockAllWaiting(tx, write.access, uids)
    const sorted = await withRecords(tx, write.access, rows)
    const leads = rows.map(({ lead_id }) => ({ id: lead_id }))
    await discardInside(write, 'leads', leads, 'path')
    return sorted
  })
}

async function withRecords(tx: Tx, access: Access, rows: readonly IncomingLeadRow[]): Promise<Sorted[]> {
  const ids = rows.map(({ lead_id }) => lead_id)
  const records = await recordsOf(tx, access, ids)
  return rows.map((row) => ({ row, records: records(row.lead_id) }))
}

/** Locks waiting incoming leads, in the order in which they were added. Throws as `lockWaiting`. */
async function lockAllWaiting(tx: Tx, access: Access, uids: readonly string[]): Promise<IncomingLeadRow[]> {
  const { account_id } = access.actor
  const named = new Set(uids)
  const rows = await findWaitingAmong(tx, account_id, [...named])
  const ids = rows.map(({ lead_id }) => lead_id)
  const leads = await lockIncomingLeads(tx, account_id, ids)
  if (rows.length < named.size || !leads.every((lead) => lead && can(access, 'view', lead))) throw notFound()
  return rows
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
  const [lead] = found ? await lockIncomingLeads(tx, account_id, [found.lead_id], await othersOf(found)) : []
  if (!found || !lead || !can(access, 'view', lead)) throw notFound()
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
