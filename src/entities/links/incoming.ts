import type { Actor } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import type { Db, Tx } from '../../db/database.ts'
import type { EntityRow } from '../../db/tables.ts'
import { findSubscriptions } from '../../webhooks/webhooks.ts'
import type { EntityType } from '../records/entity-types.ts'
import { lockEntities, replaceEntities } from '../records/queries.ts'
import { lockRecords, type RecordReference } from '../records/records.ts'
import type { WorkingCopy } from '../records/working-copy.ts'
import { loadCopies } from '../saving/load-copies.ts'
import { loadReferences } from '../saving/references.ts'
import { announceRecords } from '../saving/webhook-changes.ts'
import { linkedToLeads, selectHiddenBeside } from './incoming-queries.ts'

/*
 * An incoming lead is a lead in the incoming stage of its pipeline (I1). The contact and the company that came with it are
 * marked too, and no list shows them. They lose the mark together when the lead gets another stage.
 */

type Hidden = Pick<RecordReference, 'entity_type' | 'id'>

/** The contacts and companies of these leads that no list shows. */
export async function hiddenBeside(
  db: Db,
  account_id: number,
  lead_ids: readonly number[],
): Promise<Hidden[]> {
  if (lead_ids.length === 0) return []
  return (await selectHiddenBeside(db, account_id, lead_ids).execute()) as Hidden[]
}

/** Locks the hidden contacts and companies of leads, before the leads themselves are locked. */
export async function lockHiddenBeside(
  tx: Tx,
  account_id: number,
  lead_ids: readonly number[],
): Promise<void> {
  await lockRecords(tx, account_id, await hiddenBeside(tx, account_id, lead_ids))
}

/**
 * Locks incoming leads with their contacts and companies, and with other records. Undefined in the place of one that was
 * accepted or declined meanwhile.
 */
export async function lockIncomingLeads(
  tx: Tx,
  account_id: number,
  lead_ids: readonly number[],
  others: readonly Hidden[] = [],
): Promise<(EntityRow | undefined)[]> {
  const hidden = await hiddenBeside(tx, account_id, lead_ids)
  const leads = lead_ids.map((id) => ({ entity_type: 'leads', id }) as const)
  const rows = await lockRecords(tx, account_id, [...hidden, ...leads, ...others])
  return lead_ids.map((id) => {
    const row = rows.get(id)
    return row?.is_unsorted === 1 && row.is_deleted === 0 ? row : undefined
  })
}

/** The hidden records of one kind that belong to these leads, which are in the trash, and to no other lead. Locked. */
export async function lockOnlyOf(
  tx: Tx,
  account_id: number,
  type: EntityType,
  lead_ids: readonly number[],
): Promise<EntityRow[]> {
  const hidden = (await hiddenBeside(tx, account_id, lead_ids)).filter(
    ({ entity_type }) => entity_type === type,
  )
  const ids = hidden.map(({ id }) => id)
  const others = await linkedToLeads(tx, account_id, ids)
  return lockEntities(
    tx,
    account_id,
    type,
    ids.filter((id) => !others.has(id)),
  )
}

/** After leads were written: tells the slice of incoming leads, and shows the people of those that were accepted. */
export async function sortOut(
  ctx: Context,
  tx: Tx,
  actor: Actor,
  copies: readonly WorkingCopy[],
): Promise<void> {
  await reveal(ctx, tx, actor, await tellSorted(ctx, tx, actor, copies))
}

/** Tells the slice of incoming leads. Returns the hidden people of those that were accepted, which the caller shows. */
export async function tellSorted(
  ctx: Context,
  tx: Tx,
  actor: Actor,
  copies: readonly WorkingCopy[],
): Promise<Hidden[]> {
  const incoming = copies.filter(
    ({ before, row }) => row.entity_type === 'leads' && before?.is_unsorted === 1,
  )
  const [waiting, accepted] = [1, 0].map((mark) =>
    incoming.filter(({ row }) => row.is_unsorted === mark).map(({ row }) => row.id),
  ) as [number[], number[]]
  if (waiting.length > 0) await ctx.leadsSorted(ctx, tx, actor, waiting, 'changed')
  if (accepted.length === 0) return []
  await ctx.leadsSorted(ctx, tx, actor, accepted, 'accepted')
  return hiddenBeside(tx, actor.account_id, accepted)
}

/**
 * Shows those of the contacts and companies of these leads that no incoming lead has any more: nothing else would show
 * them. The leads are locked, and have been unlinked or moved to the trash.
 */
export async function revealWithoutLead(
  ctx: Context,
  tx: Tx,
  actor: Actor,
  hidden: readonly Hidden[],
): Promise<void> {
  if (hidden.length === 0) return
  const ids = hidden.map(({ id }) => id)
  const awaited = await linkedToLeads(tx, actor.account_id, ids, { isIncoming: true })
  await reveal(
    ctx,
    tx,
    actor,
    hidden.filter(({ id }) => !awaited.has(id)),
  )
}

/** Shows hidden contacts and companies in the lists, and announces them with their links. */
export async function reveal(ctx: Context, tx: Tx, actor: Actor, hidden: readonly Hidden[]): Promise<void> {
  for (const type of ['companies', 'contacts'] as const) {
    const ids = hidden.filter(({ entity_type }) => entity_type === type).map(({ id }) => id)
    if (ids.length > 0) await revealKind(ctx, tx, actor, type, ids)
  }
}

async function revealKind(
  ctx: Context,
  tx: Tx,
  actor: Actor,
  type: EntityType,
  ids: readonly number[],
): Promise<void> {
  const { account_id } = actor
  const rows = (await lockEntities(tx, account_id, type, ids)).filter(({ is_unsorted }) => is_unsorted === 1)
  if (rows.length === 0) return
  const references = await loadReferences(tx, account_id, type, [])
  const copies = [...(await loadCopies(tx, account_id, references, rows)).values()]
  for (const { row } of copies) row.is_unsorted = 0
  await replaceEntities(
    tx,
    copies.map(({ row }) => row),
  )
  const subscriptions = await findSubscriptions(tx, account_id)
  await announceRecords(ctx, tx, actor, references, { changed: copies, subscriptions })
}
