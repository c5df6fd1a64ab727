import { setImmediate } from 'node:timers/promises'
import { type Actor, auditAs, lockAccount, requireAdmin } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import {
  findFields,
  parseStored,
  readWritten,
  type WrittenValues,
  withChanges,
} from '../../custom-fields/custom-fields.ts'
import type { Tx } from '../../db/database.ts'
import { nextId } from '../../db/dialect.ts'
import type { SegmentRow } from '../../db/tables.ts'
import { collectFaults, Refusal } from '../../errors.ts'
import { refreshAtOnce, requireFilter, writtenFilter } from './segment-filters.ts'
import {
  countMembers,
  deleteSegment,
  deleteSomeMembers,
  listSegmentRows,
  replaceSegment,
} from './segment-queries.ts'
import { type SegmentColor, segmentColors } from './segment-types.ts'

export interface SegmentDraft {
  name: string
  color?: SegmentColor | undefined
  available_products_price_types?: number[] | undefined
  custom_fields_values?: WrittenValues | undefined
  filter?: string | null | undefined
}

/** A segment with the number of its customers, regardless of who reads. */
export interface CountedSegment extends SegmentRow {
  customers_count: number
}

const MAX_SEGMENTS = 100

/** The segments of the account, for everybody. */
export async function listSegments(ctx: Context, { account_id }: Actor): Promise<CountedSegment[]> {
  const rows = await listSegmentRows(ctx.db, account_id)
  const counts = await countMembers(ctx.db, account_id, undefined)
  return rows.map((row) => ({ ...row, customers_count: counts.get(row.id) ?? 0 }))
}

export async function readSegment(ctx: Context, { account_id }: Actor, id: number): Promise<CountedSegment> {
  const row = pick(await listSegmentRows(ctx.db, account_id), id)
  const counts = await countMembers(ctx.db, account_id, id)
  return { ...row, customers_count: counts.get(id) ?? 0 }
}

function pick<Row extends SegmentRow>(rows: Row[], id: number): Row {
  const found = rows.find((row) => row.id === id)
  if (!found) throw new Refusal('not_found', 'Segment not found in this account.')
  return found
}

/** Adds a segment, for administrators. Its filter chooses customers at once, if they are not too many. */
export async function addSegment(ctx: Context, actor: Actor, draft: SegmentDraft): Promise<number> {
  const added = await administrate(ctx, actor, async (tx, before) => {
    if (before.length >= MAX_SEGMENTS)
      throw new Refusal('conflict', `An account can have at most ${MAX_SEGMENTS} segments.`, {
        code: 'segment_limit',
      })
    const now = ctx.now()
    const blank = {
      account_id: actor.account_id,
      id: await nextId(tx, 'segments'),
      name: '',
      // Colours rotate, so that adjacent segments differ.
      color: segmentColors[before.length % segmentColors.length] as string,
      price_types: '[]',
      field_values: '{}',
      filter: null,
      created_by: actor.user_id,
      created_at: now,
      updated_at: now,
    }
    const row = await applied(tx, actor, blank, draft)
    await replaceSegment(tx, row)
    await auditAs(ctx, tx, actor, 'segment.added', { id: row.id, name: row.name })
    return row
  })
  await refreshAtOnce(ctx, added)
  return added.id
}

/** Changes the given members of a segment, for administrators. */
export async function changeSegment(
  ctx: Context,
  actor: Actor,
  id: number,
  patch: Partial<SegmentDraft>,
): Promise<void> {
  const changed = await administrate(ctx, actor, async (tx, before) => {
    const segment = pick(before, id)
    const row = await applied(tx, actor, segment, patch)
    const changed = (Object.keys(row) as (keyof SegmentRow)[]).filter((name) => row[name] !== segment[name])
    if (changed.length === 0) return []
    await replaceSegment(tx, { ...row, updated_at: ctx.now() })
    await auditAs(ctx, tx, actor, 'segment.changed', { id, name: row.name, changed })
    return changed
  })
  if (changed.includes('filter')) await refreshAtOnce(ctx, { account_id: actor.account_id, id })
}

/** Members that a transaction removes. */
const MEMBERS = 1_000

/**
 * Deletes a segment, for administrators. Its customers stay. Every customer of the account can be a member, so most of them
 * leave it before.
 */
export async function removeSegment(ctx: Context, actor: Actor, id: number): Promise<void> {
  const removeSome = (tx: Tx, before: SegmentRow[]) => deleteSomeMembers(tx, pick(before, id), MEMBERS)
  while ((await administrate(ctx, actor, removeSome)) === MEMBERS) await setImmediate()
  await administrate(ctx, actor, async (tx, before) => {
    const segment = pick(before, id)
    await deleteSegment(tx, segment)
    await auditAs(ctx, tx, actor, 'segment.removed', { id, name: segment.name })
  })
}

async function applied(
  tx: Tx,
  { account_id, integration }: Actor,
  segment: SegmentRow,
  { name, color, available_products_price_types, custom_fields_values, filter }: Partial<SegmentDraft>,
): Promise<SegmentRow> {
  const row = { ...segment, name: name?.trim() ?? segment.name, color: color ?? segment.color }
  if (available_products_price_types) row.price_types = JSON.stringify(available_products_price_types)
  if (custom_fields_values) {
    const { about, refuse } = collectFaults()
    const fields = await findFields(tx, account_id, 'segments')
    const by = { by_person: integration === null }
    const changes = readWritten(fields, custom_fields_values, by, about('0'))
    refuse()
    row.field_values = JSON.stringify(withChanges(parseStored(segment.field_values), changes))
  }
  if (filter !== undefined) row.filter = filter === null ? null : writtenFilter(filter)
  if (filter) await requireFilter(tx, account_id, row.filter as string)
  return row
}

function administrate<T>(
  ctx: Context,
  actor: Actor,
  apply: (tx: Tx, before: SegmentRow[]) => Promise<T>,
): Promise<T> {
  requireAdmin(actor)
  return ctx.db.transaction().execute(async (tx) => {
    await lockAccount(tx, actor.account_id)
    return apply(tx, await listSegmentRows(tx, actor.account_id))
  })
}
