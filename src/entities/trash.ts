import type { Actor } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import type { EntityRow } from '../db/tables.ts'
import type { EventDraft } from '../events/event-types.ts'
import { recordEvents } from '../events/events.ts'
import { loadAccess } from './access.ts'
import { type EntityType, entityTypes, eventEntityType } from './entity-types.ts'
import { replaceEntities } from './queries.ts'
import { notFound, type Place, requireRecords } from './records.ts'

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
): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    const access = await loadAccess(tx, actor)
    const references = named.map(({ id, request_id }, i) => ({
      entity_type: type,
      id,
      request_id: String(request_id ?? i),
      path: 'id',
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
export async function restore(ctx: Context, actor: Actor, type: EntityType, id: number): Promise<EntityRow> {
  return ctx.db.transaction().execute(async (tx) => {
    const access = await loadAccess(tx, actor)
    const reference = { entity_type: type, id, request_id: '0', path: 'id' }
    const [row] = (await requireRecords(tx, access, 'delete', [reference], 'path', { trashed: true })) as [
      EntityRow,
    ]
    if (row.merged_into !== null) throw notFound()
    const restored = signed(ctx, actor, row, 0)
    await replaceEntities(tx, [restored])
    await recordEvents(ctx, tx, actor, eventsOf([row], entityTypes[type].events.restored))
    return restored
  })
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
