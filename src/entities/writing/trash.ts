import { type Actor, actingIntegration } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import type { Tx } from '../../db/database.ts'
import type { EntityRow } from '../../db/tables.ts'
import type { EventDraft, PlainEventType } from '../../events/event-types.ts'
import { recordEvents } from '../../events/events.ts'
import { findCustomerStages, findStages } from '../../pipelines/pipelines.ts'
import { findSubscriptions } from '../../webhooks/webhooks.ts'
import { lockListShared } from '../elements/element-lists.ts'
import { sumLeadsWith } from '../elements/lead-sums.ts'
import { hiddenBeside, lockHiddenBeside, lockOnlyOf, revealWithoutLead } from '../links/incoming.ts'
import { type EntityType, entityTypes, eventEntityType } from '../records/entity-types.ts'
import { replaceEntities } from '../records/queries.ts'
import { type RecordWrite, writeRecords } from '../records/record-write.ts'
import { inList, notFound, type Place, requireRecords } from '../records/records.ts'
import { lockStagesOf } from '../records/stage-locks.ts'
import { loadCopies } from '../saving/load-copies.ts'
import { stageEvents } from '../saving/record-events.ts'
import { loadReferences } from '../saving/references.ts'
import { announceDeleted, announceRecords, announcesRestored } from '../saving/webhook-changes.ts'

/**
 * Moves all records to the trash or none. Records in the trash are in no list and on no card, keep their fields,
 * tags and links, and can be restored.
 */
export async function moveToTrash(
  ctx: Context,
  actor: Actor,
  type: EntityType,
  named: Named[],
  place: Place,
  options: { catalog_id?: number } = {},
): Promise<void> {
  await writeRecords(ctx, actor, (write) => discardInside(write, type, named, place, options))
}

interface Named {
  id: number
  request_id?: string | number | undefined
}

/** Moves records to the trash within the caller's transaction. */
export async function discardInside(
  { ctx, tx, access }: RecordWrite,
  type: EntityType,
  named: Named[],
  place: Place,
  { catalog_id }: { catalog_id?: number } = {},
): Promise<void> {
  const { actor } = access
  if (catalog_id !== undefined) await lockListShared(tx, access, catalog_id)
  const references = named.map(({ id, request_id }, i) => ({
    entity_type: type,
    id,
    request_id: String(request_id ?? i),
    path: 'id',
    ...inList(catalog_id),
  }))
  if (type === 'leads') await lockHiddenBeside(tx, actor.account_id, ids(named))
  const rows = await requireRecords(tx, access, 'delete', references, place)
  const gone = [...new Map(rows.map((row) => [row.id, row])).values()]
  await replaceEntities(
    tx,
    gone.map((row) => signed(ctx, actor, row, 1)),
  )
  await recordEvents(ctx, tx, actor, eventsOf(gone, entityTypes[type].events.deleted))
  await announceDeleted(ctx, tx, actor, type, gone.filter(isAnnounced))
  if (type === 'catalog_elements') await sumLeadsWith(ctx, tx, actor, gone)
  if (type === 'leads')
    await decline(
      ctx,
      tx,
      actor,
      gone.filter(({ is_unsorted }) => is_unsorted === 1),
    )
}

/** Restores a record from the trash. A merged record cannot be restored: its data belongs to the survivor. */
export async function restore(
  ctx: Context,
  actor: Actor,
  type: EntityType,
  id: number,
  options: { catalog_id?: number } = {},
): Promise<EntityRow> {
  return writeRecords(ctx, actor, async (write) => {
    const [row] = await restoreInside(write, type, [id], 'path', options)
    return row as EntityRow
  })
}

/** Restores several records or none, within the caller's transaction. */
export async function restoreInside(
  { ctx, tx, access }: RecordWrite,
  type: EntityType,
  ids: number[],
  place: Place,
  { catalog_id }: { catalog_id?: number } = {},
): Promise<EntityRow[]> {
  const { actor } = access
  if (catalog_id !== undefined) await lockListShared(tx, access, catalog_id)
  const references = ids.map((id, i) => ({
    entity_type: type,
    id,
    request_id: String(i),
    path: 'id',
    ...inList(catalog_id),
  }))
  const rows = await requireRecords(tx, access, 'delete', references, place, { trashed: true })
  if (rows.some(({ merged_into }) => merged_into !== null)) throw notFound()
  const placeOf = await placesIn(tx, actor.account_id, type)
  const restored = rows.map((row) => ({ ...signed(ctx, actor, row, 0), ...placeOf(row) }))
  await lockStagesOf(tx, actor.account_id, restored)
  await replaceEntities(tx, restored)
  await recordEvents(ctx, tx, actor, [
    ...eventsOf(rows, entityTypes[type].events.restored),
    ...restored.flatMap((row, i) => stageEvents(rows[i] as EntityRow, row)),
  ])
  await announceRestored(ctx, tx, actor, type, rows, restored)
  if (type === 'catalog_elements') await sumLeadsWith(ctx, tx, actor, restored)
  return restored
}

async function announceRestored(
  ctx: Context,
  tx: Tx,
  actor: Actor,
  type: EntityType,
  before: EntityRow[],
  restored: EntityRow[],
): Promise<void> {
  if (!(await announcesRestored(tx, actor.account_id, type))) return
  const references = await loadReferences(tx, actor.account_id, type, [], restored[0]?.catalog_id)
  const copies = await loadCopies(tx, actor.account_id, references, restored)
  const previous = new Map(before.map((row) => [row.id, row]))
  const changed = [...copies.values()].map((copy) => ({ ...copy, before: previous.get(copy.row.id) ?? null }))
  const subscriptions = await findSubscriptions(tx, actor.account_id)
  await announceRecords(ctx, tx, actor, references, { changed, subscriptions })
}

type StagePlace = Pick<EntityRow, 'pipeline_id' | 'status_id' | 'closed_at' | 'loss_reason_id'>

/** The stage of a restored record: its previous one, or the first one if that was deleted, in which a lead is open. */
async function placesIn(
  tx: Tx,
  account_id: number,
  type: EntityType,
): Promise<(row: StagePlace) => Partial<StagePlace>> {
  if (type === 'leads') {
    const stages = await findStages(tx, account_id)
    return ({ pipeline_id, status_id }) => {
      // A restored lead is no incoming lead again (I5).
      if (stages.choices(pipeline_id as number).includes(status_id as number)) return {}
      const pipeline = stages.hasPipeline(pipeline_id as number) ? (pipeline_id as number) : stages.main
      const status = stages.first(pipeline) ?? null
      return { pipeline_id: pipeline, status_id: status, closed_at: null, loss_reason_id: null }
    }
  }
  if (type === 'customers') {
    const { first, ids } = await findCustomerStages(tx, account_id)
    return ({ status_id }) => (ids.has(status_id as number) ? {} : { status_id: first })
  }
  return () => ({})
}

const signed = (ctx: Context, actor: Actor, row: EntityRow, is_deleted: 0 | 1): EntityRow => ({
  ...row,
  is_deleted,
  is_unsorted: 0,
  updated_by: actor.user_id,
  updated_by_integration: actingIntegration(actor),
  updated_at: ctx.now(),
})

const ids = (named: readonly { id: number }[]): number[] => named.map(({ id }) => id)

/** Webhooks have not heard of an incoming lead's records, so they do not hear of their end. */
const isAnnounced = ({ is_unsorted }: EntityRow): boolean => is_unsorted === 0

/** Ends incoming leads that were moved to the trash: the records that they brought with them follow (I5). */
async function decline(ctx: Context, tx: Tx, actor: Actor, leads: readonly EntityRow[]): Promise<void> {
  if (leads.length === 0) return
  for (const type of ['companies', 'contacts'] as const) {
    const rows = await lockOnlyOf(tx, actor.account_id, type, ids(leads))
    await replaceEntities(
      tx,
      rows.map((row) => signed(ctx, actor, row, 1)),
    )
    await recordEvents(ctx, tx, actor, eventsOf(rows, entityTypes[type].events.deleted))
  }
  await revealWithoutLead(ctx, tx, actor, await hiddenBeside(tx, actor.account_id, ids(leads)))
  await ctx.leadsSorted(ctx, tx, actor, ids(leads), 'declined')
}

const eventsOf = (rows: EntityRow[], type: PlainEventType | null): EventDraft[] =>
  type === null ? [] : rows.map((row) => ({ type, entity_type: eventEntityType(row), entity_id: row.id }))
