import { type Actor, actingIntegration } from '../../accounts/accounts.ts'
import type { Context, StageEntry } from '../../context.ts'
import { saveValues } from '../../custom-fields/custom-fields.ts'
import type { Tx } from '../../db/database.ts'
import { nextIds } from '../../db/dialect.ts'
import { writeTogether } from '../../db/row-sets.ts'
import type { EntityRow, EntityTagRow, SearchWordRow } from '../../db/tables.ts'
import type { EventDraft } from '../../events/event-types.ts'
import { recordEvents } from '../../events/events.ts'
import { forEachFairly } from '../../fair-turns.ts'
import { addSystemNotes } from '../../notes/notes.ts'
import { findSubscriptions, type Subscriptions } from '../../webhooks/webhooks.ts'
import { type EntityType, entityTypes } from '../records/entity-types.ts'
import { deleteWords, insertEntities, insertWords, updateEntities } from '../records/queries.ts'
import { wordsOf } from '../records/search.ts'
import { lockStagesOf } from '../records/stage-locks.ts'
import type { WorkingCopy } from '../records/working-copy.ts'
import { deleteEntityTags, insertEntityTags } from '../tags/tag-queries.ts'
import { additionEvents, changeEvents } from './record-events.ts'
import type { References } from './references.ts'

/** The changed copies, and the subscriptions to which they have to be announced. */
export interface Saved {
  changed: WorkingCopy[]
  subscriptions: Subscriptions | null
}

/**
 * Saves the differences of these copies of one kind and records them, with one statement per table and two thousand
 * rows. The caller announces the changed copies. `taken` are ids for the notes that mark creations.
 */
export async function saveCopies(
  ctx: Context,
  tx: Tx,
  actor: Actor,
  references: References,
  copies: WorkingCopy[],
  taken?: readonly number[],
): Promise<Saved> {
  const { account_id } = actor
  const changed: WorkingCopy[] = []
  await forEachFairly(copies, (copy) => {
    if (hasChanged(copy)) changed.push(copy)
  })
  const [fresh, known] = [changed.filter(({ before }) => !before), changed.filter(isKnown)]
  for (const copy of changed) sign(copy, actor, ctx.now())
  const note_type = fresh[0] && entityTypes[fresh[0].row.entity_type as EntityType].created_note
  const note_ids = taken ?? (note_type ? await nextIds(tx, 'notes', fresh.length) : [])
  function* events(): Generator<EventDraft> {
    for (const [i, copy] of fresh.entries()) yield* additionEvents(copy, references, note_ids[i])
    for (const copy of known) yield* changeEvents(copy, references)
  }
  const write = async () => {
    await insertEntities(
      tx,
      fresh.map(({ row }) => row),
    )
    await updateEntities(tx, known)
    await saveValues(
      tx,
      account_id,
      references.fields,
      changed.map(({ row, values_before, values }) => ({
        entity_id: row.id,
        before: values_before,
        after: values,
      })),
    )
    await saveTags(tx, account_id, changed)
    await saveWords(tx, changed, references)
    if (note_type) await addSystemNotes(ctx, tx, actor, creationNotes(note_type, fresh), note_ids)
    await recordEvents(ctx, tx, actor, events())
  }
  const moved = changed.filter(hasMoved).map(({ row }) => row)
  const [subscriptions] = await writeTogether(tx, write, () =>
    Promise.all([
      changed.length > 0 ? findSubscriptions(tx, account_id) : null,
      ctx.leadsEntered(ctx, tx, actor, changed.flatMap(entryOf)),
      lockStagesOf(tx, account_id, moved),
    ]),
  )
  return { changed, subscriptions }
}

const isKnown = (copy: WorkingCopy): copy is WorkingCopy & { before: EntityRow } => copy.before !== null

/** The stage that a lead entered by its change. A lead that is discarded or restored enters none. */
function entryOf({ before, row }: WorkingCopy): StageEntry[] {
  const { entity_type, id, is_deleted } = row
  const stage = stageOf(row)
  if (entity_type !== 'leads' || !stage || is_deleted === 1 || before?.is_deleted === 1) return []
  const from = before && stageOf(before)
  const stays = from?.pipeline_id === stage.pipeline_id && from?.status_id === stage.status_id
  return stays ? [] : [{ lead_id: id, ...stage, from }]
}

const stageOf = ({ pipeline_id, status_id }: EntityRow): StageEntry['from'] =>
  pipeline_id === null || status_id === null ? null : { pipeline_id, status_id }

const hasMoved = ({ before, row }: WorkingCopy): boolean =>
  before?.status_id !== row.status_id || before?.pipeline_id !== row.pipeline_id

function hasChanged({
  before,
  row,
  values_before,
  values,
  tags_before,
  tags,
  updated_by,
  updated_at,
}: WorkingCopy): boolean {
  if (!before) return true
  const columns = Object.keys(row) as (keyof EntityRow)[]
  return (
    columns.some((column) => row[column] !== before[column]) ||
    JSON.stringify(values) !== JSON.stringify(values_before) ||
    tags.size !== tags_before.size ||
    [...tags].some((id) => !tags_before.has(id)) ||
    (updated_by !== undefined && updated_by !== before.updated_by) ||
    (updated_at !== undefined && updated_at !== before.updated_at)
  )
}

function sign(copy: WorkingCopy, actor: Actor, now: number): void {
  copy.row.updated_by = copy.updated_by ?? actor.user_id
  copy.row.updated_by_integration = actingIntegration(actor)
  copy.row.updated_at = copy.updated_at ?? now
}

async function saveTags(tx: Tx, account_id: number, copies: WorkingCopy[]): Promise<void> {
  const rows = (from: 'tags' | 'tags_before', notIn: 'tags' | 'tags_before'): EntityTagRow[] =>
    copies.flatMap((copy) =>
      [...copy[from]]
        .filter((tag_id) => !copy[notIn].has(tag_id))
        .map((tag_id) => ({ account_id, entity_id: copy.row.id, tag_id })),
    )
  await insertEntityTags(tx, rows('tags', 'tags_before'))
  await deleteEntityTags(tx, rows('tags_before', 'tags'))
}

async function saveWords(tx: Tx, copies: WorkingCopy[], { fields }: References): Promise<void> {
  const added: SearchWordRow[] = []
  const gone: SearchWordRow[] = []
  await forEachFairly(copies, ({ before, row, values_before, values }) => {
    if (before && before.name === row.name && values === values_before) return
    const old = before ? wordsOf(before.name, fields, values_before) : new Set<string>()
    const now = wordsOf(row.name, fields, values)
    const { account_id, entity_type } = row
    for (const word of now)
      if (!old.has(word)) added.push({ account_id, entity_type, word, entity_id: row.id })
    for (const word of old)
      if (!now.has(word)) gone.push({ account_id, entity_type, word, entity_id: row.id })
  })
  await insertWords(tx, added)
  await deleteWords(tx, gone)
}

type CreationNote = NonNullable<(typeof entityTypes)[EntityType]['created_note']>

/** The notes that mark the creation of these copies. */
const creationNotes = (note_type: CreationNote, fresh: WorkingCopy[]) =>
  fresh.map(({ row }) => ({
    note_type,
    params: { text: row.name },
    entity_type: row.entity_type,
    entity_id: row.id,
    responsible_user_id: row.responsible_user_id,
  }))
