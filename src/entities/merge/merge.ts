import type { Actor } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/database.ts'
import type { EntityRow, LinkRow } from '../../db/tables.ts'
import { invalid, Refusal } from '../../errors.ts'
import type { EventDraft } from '../../events/event-types.ts'
import { recordEvents } from '../../events/events.ts'
import { moveNotes } from '../../notes/notes.ts'
import { reveal, tellSorted } from '../links/incoming.ts'
import { changeLinks } from '../links/links.ts'
import type { Access } from '../records/access.ts'
import { type CardType, entityTypes, eventEntityType } from '../records/entity-types.ts'
import { findEntities } from '../records/queries.ts'
import { type RecordWrite, writeRecords } from '../records/record-write.ts'
import { lockRecords, type RecordReference, requireNamed } from '../records/records.ts'
import { moveMemberships } from '../records/segment-members.ts'
import type { WorkingCopy } from '../records/working-copy.ts'
import { loadCopies } from '../saving/load-copies.ts'
import { loadReferences } from '../saving/references.ts'
import { saveCopies } from '../saving/save.ts'
import { announceRecords } from '../saving/webhook-changes.ts'
import type { Merged } from '../writing/hooks.ts'
import { decidingKinds, movedLinks } from './merge-links.ts'
import { linksBeside, linksOfRecords, moveTransactions } from './merge-queries.ts'
import { fillFromMerged } from './merge-values.ts'

/** The survivor, and the records to merge into it. */
export interface MergeDraft {
  id: number
  merge: number[]
}

/** The most links moved in one transaction: each writes four events. */
const MAX_LINKS = 5_000
/** How often a merge is retried because a concurrent request linked one of its records. */
const MAX_TRIES = 3

/**
 * Merges records of one kind (V8). The survivor keeps its own values and gets missing ones, in the order of
 * `merge`: field values, tags, links, notes, tasks, audiences, purchases. The others go permanently to the trash.
 * Requires the right to edit all of them and to delete the others.
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
    throw invalid(`merge.${itself}`, 'NotSupportedChoice', 'A record cannot be merged into itself.')
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const survivor = await writeRecords(ctx, actor, (write) => mergeInside(write, type, draft, moved))
    if (survivor) return survivor
  }
  throw new Refusal(
    'unavailable',
    'These records are being changed by another request. Repeat the request.',
    {
      retry_after: 1,
    },
  )
}

/** Merges within the caller's transaction. Returns null, before any write, if a record was linked that is not locked. */
export async function mergeInside(
  { ctx, tx, access }: RecordWrite,
  type: CardType,
  { id, merge }: MergeDraft,
  moved: readonly Merged[],
): Promise<EntityRow | null> {
  const { actor } = access
  const { account_id } = actor
  const named = [id, ...merge].map(
    (id, i): RecordReference => ({
      entity_type: type,
      id,
      request_id: '0',
      path: i === 0 ? 'id' : `merge.${i - 1}`,
    }),
  )
  // Checks rights before taking locks.
  const rows = await findEntities(tx, account_id, type, [id, ...merge])
  requireMergeable(access, named, new Map(rows.map((row) => [row.id, row])))
  const expected = await linksOfRecords(tx, account_id, merge, MAX_LINKS + 1)
  if (expected.length > MAX_LINKS)
    throw new Refusal('conflict', `A merge can move at most ${MAX_LINKS} links.`, { code: 'merge_limit' })
  // Locks everything at once, because all writers lock in one order. From here on, the links of these records
  // cannot change.
  const locked = await lockRecords(tx, account_id, [...named, ...expected.map(farEnd)])
  requireMergeable(access, named, locked)
  const links = await linksOfRecords(tx, account_id, merge, MAX_LINKS + 1)
  const ends = new Set(expected.map(({ to_entity_id }) => to_entity_id))
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
  for (const { row } of others) {
    Object.assign(row, { is_deleted: 1, merged_into: id, closest_task_at: null, is_unsorted: 0 })
  }
  // A record that is merged with one of the lists is in the lists.
  if (type !== 'leads' && copies.values().some(({ before }) => before?.is_unsorted === 0))
    survivor.row.is_unsorted = 0
  await recordEvents(ctx, tx, actor, [mergedEvent(survivor.row)])
  const saved = await saveCopies(ctx, tx, actor, references, [survivor, ...others])
  const hidden = await tellSorted(ctx, tx, actor, saved.changed)
  const own = await linksBeside(tx, account_id, id, { ids: [...ends], types: decidingKinds(type) })
  const inOrder = merge.flatMap((id) => links.filter(({ entity_id }) => entity_id === id))
  await changeLinks(ctx, tx, actor, movedLinks(survivor.row, inOrder, own, locked), saved.changed)
  await reveal(ctx, tx, actor, hidden)
  await announceRecords(ctx, tx, actor, references, saved)
  await moveNotes(tx, account_id, merge, id)
  for (const move of moved) await move(tx, account_id, merge, id, actor)
  if (type === 'customers') {
    await moveTransactions(tx, account_id, merge, id)
    await moveMemberships(tx, account_id, merge, id)
  }
  await recordEvents(
    ctx,
    tx,
    actor,
    others.map(({ row }) => deletedEvent(type, row)),
  )
  return survivor.row
}

/** The records to which these are linked. A caller that merges several of them in one transaction locks all of them before. */
export async function linkedRecords(
  db: Db,
  account_id: number,
  ids: readonly number[],
): Promise<Pick<RecordReference, 'entity_type' | 'id'>[]> {
  return (await linksOfRecords(db, account_id, ids, MAX_LINKS + 1)).map(farEnd)
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
