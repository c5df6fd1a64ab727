import type { Actor } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import type { Tx } from '../db/database.ts'
import type { EntityRow, LinkRow } from '../db/tables.ts'
import { invalid, Refusal } from '../errors.ts'
import type { EventDraft } from '../events/event-types.ts'
import { recordEvents } from '../events/events.ts'
import { moveNotes } from '../notes/notes.ts'
import { type Access, loadAccess } from './access.ts'
import { type CardType, entityTypes, eventEntityType } from './entity-types.ts'
import type { Merged } from './hooks.ts'
import { changeLinks } from './links.ts'
import { decidingKinds, movedLinks } from './merge-links.ts'
import { linksBeside, linksOfRecords, moveTransactions } from './merge-queries.ts'
import { fillFromMerged } from './merge-values.ts'
import { findEntities } from './queries.ts'
import { lockRecords, type RecordReference, requireNamed } from './records.ts'
import { loadReferences } from './references.ts'
import { saveCopies } from './save.ts'
import type { WorkingCopy } from './working-copy.ts'
import { loadCopies } from './write.ts'

/** The record that stays, and those that become part of it. */
export interface MergeDraft {
  id: number
  merge: number[]
}

/** The most links that are moved in one transaction: four rows of the log are written for each. */
const MOST_LINKS = 5_000
/** How often a merge begins anew because somebody linked one of its records meanwhile. */
const MOST_TRIES = 3

/**
 * Merges records of one kind (V8). The survivor keeps its own values and takes over what it lacks, in the order of
 * `merge`: values of fields, tags, links, notes, tasks, audiences, purchases. The others go to the trash for good.
 * For who may change all of them and delete those that go.
 */
export async function mergeRecords(
  ctx: Context,
  actor: Actor,
  type: CardType,
  draft: MergeDraft,
  moved: readonly Merged[],
): Promise<EntityRow> {
  const itself = draft.merge.indexOf(draft.id)
  if (itself >= 0)
    throw invalid(`merge.${itself}`, 'NotSupportedChoice', 'A record is not merged into itself.')
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const survivor = await ctx.db
      .transaction()
      .execute((tx) => mergeInside(ctx, tx, actor, type, draft, moved))
    if (survivor) return survivor
  }
  throw new Refusal('unavailable', 'These records are being changed at the moment. Repeat the request.', {
    retry_after: 1,
  })
}

/** Null when a record that is not locked was linked meanwhile: then nothing is written yet. */
async function mergeInside(
  ctx: Context,
  tx: Tx,
  actor: Actor,
  type: CardType,
  { id, merge }: MergeDraft,
  moved: readonly Merged[],
): Promise<EntityRow | null> {
  const { account_id } = actor
  const access = await loadAccess(tx, actor)
  const named = [id, ...merge].map(
    (id, i): RecordReference => ({
      entity_type: type,
      id,
      request_id: '0',
      path: i === 0 ? 'id' : `merge.${i - 1}`,
    }),
  )
  // Who may not do it locks nothing.
  const rows = await findEntities(tx, account_id, type, [id, ...merge])
  requireMergeable(access, named, new Map(rows.map((row) => [row.id, row])))
  const foreseen = await linksOfRecords(tx, account_id, merge, MOST_LINKS + 1)
  if (foreseen.length > MOST_LINKS)
    throw new Refusal('conflict', `A merge moves ${MOST_LINKS} links at most.`, { code: 'merge_limit' })
  // All at once, because all writers lock in one order. From here on the links of these records stand still.
  const locked = await lockRecords(tx, account_id, [...named, ...foreseen.map(farEnd)])
  requireMergeable(access, named, locked)
  const links = await linksOfRecords(tx, account_id, merge, MOST_LINKS + 1)
  const ends = new Set(foreseen.map(({ to_entity_id }) => to_entity_id))
  if (links.some(({ to_entity_id }) => !ends.has(to_entity_id))) return null

  const references = await loadReferences(tx, account_id, type, [])
  const copies = await loadCopies(
    tx,
    account_id,
    references,
    [id, ...merge].map((id) => locked.get(id) as EntityRow),
  )
  const survivor = copies.get(id) as WorkingCopy
  const others = merge.map((id) => copies.get(id) as WorkingCopy)
  fillFromMerged(survivor, others, references.fields)
  Object.assign(survivor, { updated_by: actor.user_id, updated_at: ctx.now() })
  for (const { row } of others) Object.assign(row, { is_deleted: 1, merged_into: id, closest_task_at: null })
  await recordEvents(ctx, tx, actor, [mergedEvent(survivor.row)])
  await saveCopies(ctx, tx, actor, references, [survivor, ...others])
  const own = await linksBeside(tx, account_id, id, { ids: [...ends], types: decidingKinds(type) })
  const inOrder = merge.flatMap((id) => links.filter(({ entity_id }) => entity_id === id))
  await changeLinks(ctx, tx, actor, movedLinks(survivor.row, inOrder, own, locked))
  await moveNotes(tx, account_id, merge, id)
  for (const move of moved) await move(tx, account_id, merge, id)
  if (type === 'customers') await moveTransactions(tx, account_id, merge, id)
  await recordEvents(
    ctx,
    tx,
    actor,
    others.map(({ row }) => deletedEvent(type, row)),
  )
  return survivor.row
}

function requireMergeable(
  access: Access,
  named: RecordReference[],
  found: ReadonlyMap<number, EntityRow>,
): void {
  requireNamed(access, 'edit', named, found, 'item')
  requireNamed(access, 'delete', named.slice(1), found, 'item')
}

const farEnd = ({ to_entity_type, to_entity_id }: LinkRow) => ({
  entity_type: to_entity_type as RecordReference['entity_type'],
  id: to_entity_id,
})

const mergedEvent = (row: EntityRow): EventDraft => ({
  type: 'entity_merged',
  entity_type: eventEntityType(row),
  entity_id: row.id,
})

const deletedEvent = (type: CardType, row: EntityRow): EventDraft => ({
  type: entityTypes[type].events.deleted,
  entity_type: eventEntityType(row),
  entity_id: row.id,
})
