import { isDeepStrictEqual } from 'node:util'
import { findFields } from '../../custom-fields/custom-fields.ts'
import type { Db } from '../../db/database.ts'
import { type Access, findEntities, showRecords } from '../../entities/entities.ts'
import type { RecordDraft } from '../../entities/records/draft-schemas.ts'
import { type EntityType, entityTypes } from '../../entities/records/entity-types.ts'

/** The state of a record that a job can change: members by name, and values of fields as `field.12`. */
export type Snapshot = Record<string, unknown>

/** The changes of a job to a record: before and after. */
export interface Change {
  before: Snapshot
  after: Snapshot
}

type Shown = Record<string, unknown> & {
  id: number
  custom_fields_values: { field_id: number; values: unknown }[] | null
  _embedded?: { tags?: { name: string }[] }
}

const members = ['name', 'first_name', 'last_name', 'responsible_user_id']

/** The current states of records, by id. */
export async function snapshotsOf(
  db: Db,
  access: Access,
  type: EntityType,
  ids: readonly number[],
  catalog_id: number | null = null,
): Promise<Map<number, Snapshot>> {
  if (ids.length === 0) return new Map()
  const { account_id } = access.actor
  const rows = await findEntities(db, account_id, type, ids)
  const fields = await findFields(db, account_id, entityTypes[type].fields, catalog_id)
  const shown = await showRecords({ db, access, type }, rows, fields, { with: new Set(), base: '' })
  return new Map((shown as unknown as Shown[]).map((record) => [record.id, snapshotOf(record)]))
}

function snapshotOf(record: Shown): Snapshot {
  const { price_with_minor_units, pipeline_id, status_id, loss_reason_id, closed_at } = record
  return {
    ...Object.fromEntries(
      members.filter((name) => record[name] !== undefined).map((name) => [name, record[name]]),
    ),
    ...(price_with_minor_units !== undefined && { price: price_with_minor_units }),
    ...(status_id !== undefined && {
      stage: {
        status_id,
        ...(pipeline_id !== undefined && { pipeline_id, loss_reason_id, closed_at }),
      },
    }),
    tags: (record._embedded?.tags ?? []).map(({ name }) => name).toSorted(),
    ...Object.fromEntries(
      (record.custom_fields_values ?? []).map(({ field_id, values }) => [`field.${field_id}`, values]),
    ),
  }
}

/** The difference between two snapshots of a record; null if they are equal. */
export function changeBetween(before: Snapshot, after: Snapshot): Change | null {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => !isDeepStrictEqual(before[name], after[name]),
  )
  if (names.length === 0) return null
  const only = (of: Snapshot): Snapshot => Object.fromEntries(names.map((name) => [name, of[name] ?? null]))
  return { before: only(before), after: only(after) }
}

/**
 * The patch that restores a record where nobody has changed it since. `kept` lists the members that somebody has
 * changed.
 */
export function undoing({ before, after }: Change, now: Snapshot): { patch: RecordDraft; kept: string[] } {
  const patch: RecordDraft = {}
  const kept: string[] = []
  for (const [name, had] of Object.entries(before)) {
    if (name === 'tags') undoTags(patch, had as string[], after.tags as string[])
    else if (!isSame(name, now[name] ?? null, after[name])) kept.push(name)
    else if (name === 'stage') Object.assign(patch, stageBefore(had as Record<string, unknown>))
    else if (name.startsWith('field.')) undoField(patch, Number(name.slice('field.'.length)), had)
    else Object.assign(patch, { [name]: had })
  }
  return { patch, kept }
}

/** The closing time of a lead is ignored: it follows from the stage. */
function isSame(name: string, now: unknown, after: unknown): boolean {
  if (name !== 'stage') return isDeepStrictEqual(now, after)
  const place = (stage: unknown) => {
    const { pipeline_id, status_id } = Object(stage) as Record<string, unknown>
    return [pipeline_id, status_id]
  }
  return isDeepStrictEqual(place(now), place(after))
}

function stageBefore({
  pipeline_id,
  status_id,
  loss_reason_id,
  closed_at,
}: Record<string, unknown>): RecordDraft {
  return {
    status_id: status_id as number,
    ...(pipeline_id !== undefined && { pipeline_id: pipeline_id as number }),
    ...(typeof loss_reason_id === 'number' && { loss_reason_id }),
    ...(typeof closed_at === 'number' && { closed_at }),
  }
}

function undoTags(patch: RecordDraft, had: string[], has: string[]): void {
  patch.tags_to_add = had.filter((name) => !has.includes(name)).map((name) => ({ name }))
  patch.tags_to_delete = has.filter((name) => !had.includes(name)).map((name) => ({ name }))
}

function undoField(patch: RecordDraft, field_id: number, had: unknown): void {
  const values = (had ?? null) as Record<string, unknown>[] | null
  patch.custom_fields_values = [...(patch.custom_fields_values ?? []), { field_id, values }]
}
