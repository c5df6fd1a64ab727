import type { Actor } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import type { Tx } from '../../db/database.ts'
import { nextIds } from '../../db/dialect.ts'
import type { EntityRow } from '../../db/tables.ts'
import { collectFaults, type Fault, MAX_FAULTS, Refusal } from '../../errors.ts'
import { forEachFairly } from '../../fair-turns.ts'
import { lockListShared, requireOpenToPeople } from '../elements/element-lists.ts'
import { faultsOfPrices, listOfPrices, sumLeadsWith } from '../elements/lead-sums.ts'
import { linkTargets, requestedLinks } from '../links/draft-links.ts'
import { hiddenBeside, sortOut } from '../links/incoming.ts'
import { changeLinks } from '../links/links.ts'
import { type Access, requireCanAdd } from '../records/access.ts'
import { blank } from '../records/blank-record.ts'
import type { RecordDraft, RecordPatch } from '../records/draft-schemas.ts'
import { type EntityType, entityTypes } from '../records/entity-types.ts'
import { findSourcesOf, type LeadSources, type SourceOf } from '../records/lead-sources.ts'
import { type RecordWrite, writeRecords } from '../records/record-write.ts'
import {
  inList,
  lockNamed,
  lockRecords,
  type Place,
  type RecordReference,
  requireNamed,
} from '../records/records.ts'
import { saveSegments } from '../records/segment-members.ts'
import { newCopy, type WorkingCopy } from '../records/working-copy.ts'
import { applyDraft, type Writing } from '../saving/apply-draft.ts'
import { withFileNames } from '../saving/file-values.ts'
import { loadCopies } from '../saving/load-copies.ts'
import { holdNamed, loadBeside, loadReferences, type References } from '../saving/references.ts'
import { saveCopies } from '../saving/save.ts'
import { requireVersion, versionAfter } from '../saving/versions.ts'
import { announceRecords } from '../saving/webhook-changes.ts'
import type { Written } from './hooks.ts'

export interface WriteOptions {
  /** The list, for elements. */
  catalog_id?: number
  /** Whether the new record at a place belongs to an incoming lead. */
  isIncoming?: ((place: number) => boolean) | undefined
  /** Other work of the same transaction. */
  written?: Written | undefined
  sourceOf?: SourceOf | undefined
  /** The caller reads whole amounts only, as in the older APIs (R24). */
  reads_whole_amounts?: boolean
}

/** Adds all records of one kind or none, with their values, tags and links, and records the events. */
export function addEntities(
  ctx: Context,
  actor: Actor,
  type: EntityType,
  drafts: RecordDraft[],
  { sources, ...options }: WriteOptions & { sources?: LeadSources } = {},
): Promise<EntityRow[]> {
  return writeRecords(ctx, actor, async (write) => {
    const sourceOf =
      sources && type === 'leads' ? await findSourcesOf(write.tx, actor, drafts, sources) : undefined
    return addInside(write, type, drafts, { ...options, sourceOf })
  })
}

/** Adds records within the caller's transaction. */
export async function addInside(
  { ctx, tx, access }: RecordWrite,
  type: EntityType,
  drafts: RecordDraft[],
  { catalog_id, isIncoming, written, sourceOf }: WriteOptions = {},
): Promise<EntityRow[]> {
  const { actor } = access
  requireCanAdd(access, type, catalog_id)
  if (catalog_id !== undefined) requireOpenToPeople(await lockListShared(tx, access, catalog_id), access)
  const [references, ids, note_ids] = await Promise.all([
    loadReferences(tx, actor.account_id, type, drafts, catalog_id ?? null),
    nextIds(tx, 'entities', drafts.length),
    entityTypes[type].created_note ? nextIds(tx, 'notes', drafts.length) : [],
  ])
  const writing = writingOf(ctx, actor, references)
  const copies = ids.map((id, i) => {
    const source = sourceOf?.(i)
    return newCopy({
      ...blank(type, id, actor, writing.now, catalog_id ?? null),
      is_unsorted: isIncoming?.(i) ? 1 : 0,
      ...(source && { source_id: source.id, pipeline_id: source.pipeline_id }),
    })
  })
  const completed = await withFileNames(tx, actor.account_id, references.fields, drafts)
  const faults = await applyAll(copies, completed, writing)
  const targets = await linkTargets(type, drafts)
  const found = await lockNamed(tx, access, targets)
  requireNamed(access, 'view', targets, found, 'item')
  if (faults.length > 0) throw new Refusal('invalid', 'Request validation failed', { faults })
  const saved = await saveCopies(ctx, tx, actor, references, copies, note_ids)
  const rows = copies.map(({ row }) => row)
  if (type === 'customers') await saveSegments(tx, actor.account_id, rows, drafts)
  const add = await requestedLinks(copies, drafts, found)
  await changeLinks(ctx, tx, actor, { add, remove: [] }, copies)
  await announceRecords(ctx, tx, actor, references, saved)
  await written?.(ctx, tx, rows, drafts)
  return rows
}

/** Changes all records or none. Concurrent writers of one record wait for each other, so both changes are kept. */
export function editEntities(
  ctx: Context,
  actor: Actor,
  type: EntityType,
  patches: RecordPatch[],
  place: Place,
  options: WriteOptions = {},
): Promise<EntityRow[]> {
  return writeRecords(ctx, actor, (write) => editInside(write, type, patches, place, options))
}

/** Changes one record if its version matches, and returns it with its new version. */
export function editRecord(
  ctx: Context,
  actor: Actor,
  type: EntityType,
  patch: RecordPatch,
  expected: readonly string[] | null,
  options: WriteOptions = {},
): Promise<{ row: EntityRow; version: string }> {
  return writeRecords(ctx, actor, async (write) => {
    const copies = await editCopies(write, type, [patch], 'path', { ...options, expected })
    const [copy] = copies as [WorkingCopy]
    return { row: copy.row, version: versionAfter(copy) }
  })
}

/** Changes records within the caller's transaction. */
export async function editInside(
  write: RecordWrite,
  type: EntityType,
  patches: RecordPatch[],
  place: Place,
  options: WriteOptions = {},
): Promise<EntityRow[]> {
  const copies = await editCopies(write, type, patches, place, { ...options, expected: null })
  return copies.map(({ row }) => row)
}

/** Returns the written copies in the order of the patches. */
async function editCopies(
  { ctx, tx, access }: RecordWrite,
  type: EntityType,
  patches: RecordPatch[],
  place: Place,
  {
    catalog_id,
    written,
    reads_whole_amounts = false,
    expected,
  }: WriteOptions & { expected: readonly string[] | null },
): Promise<WorkingCopy[]> {
  const { actor } = access
  if (catalog_id !== undefined) await lockListShared(tx, access, catalog_id)
  const { account_id } = actor
  const held = await holdNamed(tx, account_id, type, patches)
  const named = namedIn(type, patches, catalog_id)
  const targets = await linkTargets(type, patches)
  const hidden = await acceptedWith(tx, account_id, type, patches)
  const [references, found] = await Promise.all([
    loadBeside(tx, account_id, type, patches, held, catalog_id ?? null),
    lockNamed(tx, access, [...named, ...targets, ...hidden]),
  ])
  const writing = { ...writingOf(ctx, actor, references), reads_whole_amounts }
  requireNamed(access, 'edit', named, found, place)
  requireNamed(access, 'view', targets, found, 'item')
  const [copies, list] = await Promise.all([
    loadCopies(
      tx,
      account_id,
      references,
      named.map(({ id }) => found.get(id) as EntityRow),
    ),
    listOfPrices(tx, account_id, type, patches),
  ])
  const patched = patches.map(({ id }) => copies.get(id) as WorkingCopy)
  for (const copy of patched) requireVersion(copy, expected)
  const completed = await withFileNames(tx, account_id, references.fields, patches)
  const faults = await applyAll(patched, completed, writing)
  faults.push(...(await faultsOfPrices(tx, account_id, list, patched, patches)))
  if (faults.length > 0) throw new Refusal('invalid', 'Request validation failed', { faults })
  const saved = await saveCopies(ctx, tx, actor, references, [...copies.values()])
  const { changed } = saved
  await sortOut(ctx, tx, actor, changed)
  const rows = patched.map(({ row }) => row)
  if (type === 'customers') await saveSegments(tx, account_id, rows, patches)
  const add = await requestedLinks(patched, patches, found)
  await changeLinks(ctx, tx, actor, { add, remove: [] }, changed)
  if (type === 'catalog_elements')
    await sumLeadsWith(
      ctx,
      tx,
      actor,
      changed.flatMap(({ row, values, values_before }) => (values === values_before ? [] : [row])),
    )
  await announceRecords(ctx, tx, actor, references, saved)
  await written?.(ctx, tx, rows, patches)
  return patched
}

const namedIn = (
  type: EntityType,
  patches: readonly RecordPatch[],
  catalog_id: number | undefined,
): RecordReference[] =>
  patches.map(({ id, request_id }, i) => ({
    entity_type: type,
    id,
    request_id: String(request_id ?? i),
    path: 'id',
    ...inList(catalog_id),
  }))

/** The people of incoming leads that get a stage, and so are accepted. They are locked with the leads. */
const acceptedWith = (tx: Tx, account_id: number, type: EntityType, patches: readonly RecordPatch[]) => {
  const gets = patches.filter(({ pipeline_id, status_id }) => type === 'leads' && (pipeline_id || status_id))
  return hiddenBeside(
    tx,
    account_id,
    gets.map(({ id }) => id),
  )
}

/**
 * Locks all existing records that additions and changes of one kind concern, in the order of all writers. A caller that
 * does both in one transaction calls it first.
 */
export async function lockWritten(
  tx: Tx,
  { actor: { account_id } }: Access,
  type: EntityType,
  drafts: RecordDraft[],
  patches: RecordPatch[],
): Promise<void> {
  const named = patches.map(({ id }) => ({ entity_type: type, id }))
  const targets = await linkTargets(type, [...drafts, ...patches])
  const hidden = await acceptedWith(tx, account_id, type, patches)
  await lockRecords(tx, account_id, [...named, ...targets, ...hidden])
}

const writingOf = (ctx: Context, actor: Actor, references: References): Writing => ({
  references,
  now: ctx.now(),
  user_id: actor.user_id,
  by_person: actor.integration === null,
  reads_whole_amounts: false,
})

async function applyAll(copies: WorkingCopy[], drafts: RecordDraft[], writing: Writing): Promise<Fault[]> {
  const { faults, about } = collectFaults()
  await forEachFairly(drafts, (draft, i) => {
    if (faults.length < MAX_FAULTS)
      applyDraft(copies[i] as WorkingCopy, draft, writing, about(String(draft.request_id ?? i)))
  })
  return faults
}
