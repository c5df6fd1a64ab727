import type { EntityRow, JobRecordRow, JobRow } from '../../db/tables.ts'
import {
  discardInside,
  editInside,
  hiddenBeside,
  lockRecords,
  type RecordWrite,
  restoreInside,
} from '../../entities/entities.ts'
import type { RecordPatch } from '../../entities/records/draft-schemas.ts'
import type { EntityType } from '../../entities/records/entity-types.ts'
import { withoutRejected } from '../rows/rejected-rows.ts'
import { type RowFault, rowFault } from '../rows/row-error-types.ts'
import { type Outcome, outcomeOf } from './outcomes.ts'
import type { AddedRecord } from './related-records.ts'
import { snapshotsOf, undoing } from './snapshots.ts'

interface Undo {
  position: number
  id: number
  was: Outcome
}

interface Batch extends RecordWrite {
  type: EntityType
  catalog_id: number | null
}

/** Undoes the changes to rows, in the caller's transaction. Returns the outcomes by position. */
export async function undoRows(
  write: RecordWrite,
  job: JobRow,
  rows: readonly JobRecordRow[],
): Promise<Map<number, Outcome>> {
  const batch: Batch = { ...write, type: job.entity_type as EntityType, catalog_id: job.catalog_id }
  const undos = rows.map((row) => ({
    position: row.position,
    id: row.entity_id as number,
    was: outcomeOf(row),
  }))
  const faults = new Map<number, RowFault[]>()
  const found = await lockAll(batch, undos)
  const isThere = ({ id }: Undo) => found.get(id)?.is_deleted === 0
  const added = undos.filter(({ was }) => was.outcome === 'added')
  const deleted = undos.filter(({ was }) => was.is_deleted)
  const gone = new Set(added.map(({ id }) => id))
  const changed = undos.filter(({ id, was }) => was.change && !gone.has(id))
  await discard(batch, added.filter(isThere), faults)
  await takeOutOfTrash(batch, deleted, found, faults)
  // Several rows may have changed a record. Undo the last one first.
  for (const wave of wavesOf(changed)) await restoreValues(batch, wave, isThere, faults)
  await discardMade(
    batch,
    undos.filter(({ position }) => !faults.has(position)),
    faults,
  )
  return new Map(
    undos.map(({ position, id, was }) => {
      const own = faults.get(position) ?? []
      const outcome: Outcome = {
        ...was,
        outcome: own.length > 0 ? 'kept' : 'undone',
        entity_id: id,
        faults: own,
      }
      return [position, outcome]
    }),
  )
}

/** Locks all records that are written, because all writers lock in one order. */
async function lockAll({ tx, access, type }: Batch, undos: readonly Undo[]): Promise<Map<number, EntityRow>> {
  const { account_id } = access.actor
  const ids = undos.map(({ id }) => id)
  const made = undos.flatMap(({ was }) => was.made ?? [])
  const hidden = await hiddenBeside(tx, account_id, type === 'leads' ? ids : [])
  return lockRecords(tx, account_id, [...ids.map((id) => ({ entity_type: type, id })), ...made, ...hidden])
}

const inList = ({ catalog_id }: Batch) => (catalog_id === null ? {} : { catalog_id })

const note = (faults: Map<number, RowFault[]>, position: number, more: RowFault[]): void => {
  faults.set(position, [...(faults.get(position) ?? []), ...more])
}

async function discard(batch: Batch, undos: Undo[], faults: Map<number, RowFault[]>): Promise<void> {
  const { tx, type } = batch
  const refused = await withoutRejected(tx, undos, (some) =>
    discardInside(batch, type, named(some), 'item', inList(batch)),
  )
  for (const [position, own] of refused) note(faults, position, own)
}

const named = (undos: readonly { position: number; id: number }[]) =>
  undos.map(({ position, id }) => ({ id, request_id: String(position) }))

async function takeOutOfTrash(
  batch: Batch,
  undos: Undo[],
  found: Map<number, EntityRow>,
  faults: Map<number, RowFault[]>,
): Promise<void> {
  const { tx, type } = batch
  const lying = undos.filter(({ position, id }) => {
    const row = found.get(id)
    if (row && row.merged_into === null) return row.is_deleted === 1
    note(faults, position, [rowFault('not_restorable')])
    return false
  })
  const refused = await withoutRejected(tx, lying, async (some) => {
    const ids = some.map(({ id }) => id)
    await restoreInside(batch, type, ids, 'item', inList(batch))
  })
  for (const [position, own] of refused) note(faults, position, own)
}

/** Restores the values of changed records, except those that somebody has changed since. */
async function restoreValues(
  batch: Batch,
  undos: Undo[],
  isThere: (undo: Undo) => boolean,
  faults: Map<number, RowFault[]>,
): Promise<void> {
  const { tx, access, type, catalog_id } = batch
  const standing = undos.filter(isThere)
  for (const { position } of undos.filter((undo) => !isThere(undo)))
    note(faults, position, [rowFault('in_trash')])
  const ids = standing.map(({ id }) => id)
  const now = await snapshotsOf(tx, access, type, ids, catalog_id)
  const patches = new Map<number, RecordPatch>()
  for (const { position, id, was } of standing) {
    const { patch, kept } = undoing(was.change as NonNullable<Outcome['change']>, now.get(id) ?? {})
    if (Object.keys(patch).length > 0) patches.set(position, { ...patch, id, request_id: String(position) })
    if (kept.length > 0) note(faults, position, [rowFault('changed_since', null, kept.join(', '))])
  }
  const open = standing.filter(({ position }) => patches.has(position))
  const refused = await withoutRejected(tx, open, async (some) => {
    const edits = some.map(({ position }) => patches.get(position) as RecordPatch)
    await editInside(batch, type, edits, 'item', inList(batch))
  })
  for (const [position, own] of refused) note(faults, position, own)
}

function wavesOf(undos: Undo[]): Undo[][] {
  const waves: Undo[][] = []
  const turns = new Map<number, number>()
  for (const undo of undos) {
    const turn = turns.get(undo.id) ?? 0
    turns.set(undo.id, turn + 1)
    waves[turn] = [...(waves[turn] ?? []), undo]
  }
  return waves
}

/** Deletes related records together with the records for which they were added. */
async function discardMade(batch: Batch, undos: Undo[], faults: Map<number, RowFault[]>): Promise<void> {
  const { tx, access } = batch
  const all = undos.flatMap(({ position, was }) =>
    (was.made ?? []).map((made): AddedRecord & { position: number } => ({ ...made, position })),
  )
  for (const [entity_type, some] of Map.groupBy(all, (made) => made.entity_type)) {
    const rows = await lockRecords(tx, access.actor.account_id, some)
    const standing = some.filter(({ id }) => rows.get(id)?.is_deleted === 0)
    const refused = await withoutRejected(tx, standing, (those) =>
      discardInside(batch, entity_type, named(those), 'item'),
    )
    for (const [position, own] of refused) note(faults, position, own)
  }
}
