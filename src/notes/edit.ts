import { type Actor, actingIntegration } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import type { Tx } from '../db/database.ts'
import type { NoteRow } from '../db/tables.ts'
import { collectFaults } from '../errors.ts'
import { recordEvents } from '../events/events.ts'
import { nameOfItem } from '../http/bodies/validation.ts'
import { namedFiles } from './attachments.ts'
import { callIdOf, claimCallIds, releaseCallIds, TAKEN_CALL } from './call-ids.ts'
import { type NamedNotes, withLockedNotes } from './lock-notes.ts'
import { applyPatch, copyOf, hasChanged, type NoteCopy, otherFile } from './note-copy.ts'
import { type CardType, cardKinds, type Parents } from './parents.ts'
import { namedMembers } from './people.ts'
import { updateNotes } from './queries.ts'
import type { NotePatch } from './schemas.ts'

export type NamedPatch = NotePatch & { id: number }

/**
 * Changes all the notes or none, and returns them in the given order. A patch without a difference keeps the time of
 * the last change. The log has no type for edited notes.
 */
export function editNotes(
  ctx: Context,
  actor: Actor,
  parents: Parents,
  named: Omit<NamedNotes, 'notes'>,
  patches: NamedPatch[],
): Promise<NoteRow[]> {
  return withLockedNotes(ctx, actor, parents, { ...named, notes: patches }, async (tx, locked) => {
    const references = {
      members: await namedMembers(tx, actor, patches),
      files: await namedFiles(
        tx,
        actor.account_id,
        patches.flatMap((patch) => otherFile(patch, locked.get(patch.id)) ?? []),
      ),
    }
    const copies = new Map([...locked].map(([id, row]) => [id, copyOf(row)]))
    const { faults, about, refuse } = collectFaults()
    const ids = patches.map(({ id }) => id)
    patches.forEach((patch, i) => {
      const name = nameOfItem(patch, i)
      // Params are replaced as a whole, so of two patches for one note the first would be lost silently (V5).
      if (ids.indexOf(patch.id) < i) about(name)('NotUnique', 'id', 'This note occurs twice in the request.')
      faults.push(...applyPatch(copies.get(patch.id) as NoteCopy, patch, references, name, about(name)))
    })
    refuse()
    const changed = [...copies.values()].filter(hasChanged)
    for (const { row, updated_by, updated_at } of changed) {
      row.updated_by = updated_by ?? actor.user_id
      row.updated_by_integration = actingIntegration(actor)
      row.updated_at = updated_at ?? ctx.now()
    }
    await updateNotes(
      tx,
      changed.map(({ row }) => row),
    )
    const renamed = changed.filter(({ before, row }) => callIdOf(before) !== callIdOf(row))
    await releaseCallIds(
      tx,
      renamed.map(({ before }) => before),
    )
    const taken = await claimCallIds(
      tx,
      renamed.map(({ row }) => row),
    )
    patches.forEach((patch, i) => {
      if (taken.has(patch.id)) about(nameOfItem(patch, i))('NotUnique', 'params.uniq', TAKEN_CALL)
    })
    refuse()
    return patches.map(({ id }) => (copies.get(id) as NoteCopy).row)
  })
}

/** Deletes all the notes or none (V8). Records the deletion of common notes (N2). */
export async function deleteNotes(
  ctx: Context,
  actor: Actor,
  parents: Parents,
  named: NamedNotes,
): Promise<void> {
  await withLockedNotes(ctx, actor, parents, named, (tx, locked) =>
    discard(ctx, tx, actor, [...locked.values()]),
  )
}

/** Deletes notes whose records are locked. */
export async function discard(ctx: Context, tx: Tx, actor: Actor, rows: NoteRow[]): Promise<void> {
  await updateNotes(
    tx,
    rows.map((row) => signed(ctx, actor, row, 1)),
  )
  const common = rows.filter(({ note_type }) => note_type === 'common')
  await recordEvents(
    ctx,
    tx,
    actor,
    common.map(({ id, entity_type, entity_id }) => ({
      type: 'common_note_deleted',
      entity_type: cardKinds[entity_type as CardType],
      entity_id,
      after: [{ note: { id } }],
    })),
  )
}

/** Restores a deleted note. The log has no type for it. */
export function restoreNote(
  ctx: Context,
  actor: Actor,
  parents: Parents,
  type: CardType,
  id: number,
): Promise<NoteRow> {
  const named: NamedNotes = { type, notes: [{ id }], place: 'path', deleted: true }
  return withLockedNotes(ctx, actor, parents, named, async (tx, locked) => {
    const row = signed(ctx, actor, locked.get(id) as NoteRow, 0)
    await updateNotes(tx, [row])
    return row
  })
}

const signed = (ctx: Context, actor: Actor, row: NoteRow, is_deleted: 0 | 1): NoteRow => ({
  ...row,
  is_deleted,
  updated_by: actor.user_id,
  updated_by_integration: actingIntegration(actor),
  updated_at: ctx.now(),
})

/** Pins or unpins a note. The note and the time of its last change stay the same. */
export async function pinNote(
  ctx: Context,
  actor: Actor,
  parents: Parents,
  { type, id, is_pinned }: { type: CardType; id: number; is_pinned: 0 | 1 },
): Promise<void> {
  const named: NamedNotes = { type, notes: [{ id }], place: 'path' }
  await withLockedNotes(ctx, actor, parents, named, async (tx, locked) => {
    const rows = [...locked.values()].filter((row) => row.is_pinned !== is_pinned)
    await updateNotes(
      tx,
      rows.map((row) => ({ ...row, is_pinned })),
    )
  })
}
