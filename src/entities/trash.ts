import type { Actor } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import type { Tx } from '../db/database.ts'
import type { EntityRow } from '../db/tables.ts'
import type { EventDraft } from '../events/event-types.ts'
import { recordEvents } from '../events/events.ts'
import { findCustomerStages, findStages } from '../pipelines/pipelines.ts'
import { loadAccess } from './access.ts'
import { holdList } from './element-lists.ts'
import { type EntityType, entityTypes, eventEntityType } from './entity-types.ts'
import { replaceEntities } from './queries.ts'
import { inList, notFound, type Place, requireRecords } from './records.ts'

/**
 * Moves all the records into the trash or none. What lies there is in no list and on no card, keeps its fields, tags
 * and links, and can be taken out again.
 */
export async function moveToTrash(
  ctx: Context,
  actor: Actor,
  type: EntityType,
  named: { id: number; request_id?: string | number | undefined }[],
  place: Place,
  { catalog_id }: { catalog_id?: number } = {},
): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    const access = await loadAccess(tx, actor)
    if (catalog_id !== undefined) await holdList(tx, access, catalog_id)
    const references = named.map(({ id, request_id }, i) => ({
      entity_type: type,
      id,
      request_id: String(request_id ?? i),
      path: 'id',
      ...inList(catalog_id),
    }))
    const rows = await requireRecords(tx, access, 'delete', references, place)
    const gone = [...new Map(rows.map((row) => [row.id, row])).values()]
    await replaceEntities(
      tx,
      gone.map((row) => signed(ctx, actor, row, 1)),
    )
    await recordEvents(ctx, tx, actor, eventsOf(gone, entityTypes[type].events.deleted))
  })
}

/** Takes a record out of the trash. One that was merged into another stays there: what it held is the survivor's. */
export async function restore(
  ctx: Context,
  actor: Actor,
  type: EntityType,
  id: number,
  { catalog_id }: { catalog_id?: number } = {},
): Promise<EntityRow> {
  return ctx.db.transaction().execute(async (tx) => {
    const access = await loadAccess(tx, actor)
    if (catalog_id !== undefined) await holdList(tx, access, catalog_id)
    const reference = { entity_type: type, id, request_id: '0', path: 'id', ...inList(catalog_id) }
    const [row] = (await requireRecords(tx, access, 'delete', [reference], 'path', { trashed: true })) as [
      EntityRow,
    ]
    if (row.merged_into !== null) throw notFound()
    const restored = { ...signed(ctx, actor, row, 0), ...(await placeOf(tx, row)) }
    await replaceEntities(tx, [restored])
    await recordEvents(ctx, tx, actor, eventsOf([row], entityTypes[type].events.restored))
    return restored
  })
}

/** Where a restored record stands: where it stood, or at the beginning when that stage was deleted meanwhile. */
async function placeOf(
  tx: Tx,
  { account_id, entity_type, pipeline_id, status_id }: EntityRow,
): Promise<Pick<EntityRow, 'pipeline_id' | 'status_id'>> {
  const stays = { pipeline_id, status_id }
  if (entity_type === 'leads') {
    const stages = await findStages(tx, account_id)
    if (stages.has(pipeline_id as number, status_id as number)) return stays
    const pipeline = stages.hasPipeline(pipeline_id as number) ? (pipeline_id as number) : stages.main
    return { pipeline_id: pipeline, status_id: stages.first(pipeline) ?? null }
  }
  if (entity_type === 'customers') {
    const { first, ids } = await findCustomerStages(tx, account_id)
    return ids.has(status_id as number) ? stays : { pipeline_id, status_id: first }
  }
  return stays
}

const signed = (ctx: Context, actor: Actor, row: EntityRow, is_deleted: 0 | 1): EntityRow => ({
  ...row,
  is_deleted,
  updated_by: actor.user_id,
  updated_at: ctx.now(),
})

const eventsOf = (rows: EntityRow[], type: EventDraft['type'] | null): EventDraft[] =>
  type === null
    ? []
    : rows.map((row) => ({ type, entity_type: eventEntityType(row), entity_id: row.id }) as EventDraft)
