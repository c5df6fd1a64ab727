import type { EntityRow, JobRecordRow, JobRow } from '../../db/tables.ts'
import {
  type Access,
  can,
  discardInside,
  editInside,
  hiddenBeside,
  lockNamed,
  type RecordWrite,
} from '../../entities/entities.ts'
import type { RecordPatch } from '../../entities/records/draft-schemas.ts'
import type { EntityType } from '../../entities/records/entity-types.ts'
import { withoutRejected } from '../rows/rejected-rows.ts'
import { type RowFault, rowFault } from '../rows/row-error-types.ts'
import type { Changes } from './bulk-schemas.ts'
import type { Outcome } from './outcomes.ts'
import { changeBetween, snapshotsOf } from './snapshots.ts'

interface Named {
  position: number
  id: number
}

/** Applies a bulk change to records, in the caller's transaction. Returns the outcome of each by position. */
export async function changeRows(
  write: RecordWrite,
  job: JobRow,
  changes: Changes,
  rows: readonly JobRecordRow[],
): Promise<Map<number, Outcome>> {
  const { tx, access } = write
  const done = new Map<number, Outcome>()
  const type = job.entity_type as EntityType
  const inList = job.catalog_id === null ? {} : { catalog_id: job.catalog_id }
  const right = changes.delete ? 'delete' : 'edit'
  const named = rows.map(({ position, entity_id }) => ({ position, id: entity_id as number }))
  // The people of incoming leads are written with them, and all writers lock in one order.
  const hidden = await hiddenBeside(tx, access.actor.account_id, type === 'leads' ? idsOf(named) : [])
  const found = await lockNamed(tx, access, [
    ...named.map(({ id }) => ({ entity_type: type, id })),
    ...hidden,
  ])
  const open = named.filter(({ position, id }) => {
    const fault = faultOf(access, found.get(id), job.catalog_id, right)
    if (fault) done.set(position, { outcome: 'failed', entity_id: id, faults: [fault] })
    return fault === null
  })
  const ids = idsOf(open)
  const before = changes.delete ? new Map() : await snapshotsOf(tx, access, type, ids, job.catalog_id)
  const refused = await withoutRejected(tx, open, async (some: readonly Named[]) => {
    if (changes.delete) await discardInside(write, type, requests(some), 'item', inList)
    else await editInside(write, type, patchesOf(some, changes), 'item', inList)
  })
  const after = changes.delete ? new Map() : await snapshotsOf(tx, access, type, ids, job.catalog_id)
  for (const { position, id } of open) {
    const faults = refused.get(position)
    const change = changes.delete ? null : changeBetween(before.get(id) ?? {}, after.get(id) ?? {})
    if (faults) done.set(position, { outcome: 'failed', entity_id: id, faults })
    else if (changes.delete)
      done.set(position, { outcome: 'changed', entity_id: id, is_deleted: true, faults: [] })
    else if (change) done.set(position, { outcome: 'changed', entity_id: id, change, faults: [] })
    else done.set(position, { outcome: 'skipped', entity_id: id, faults: [rowFault('same_values')] })
  }
  return done
}

const idsOf = (rows: readonly Named[]): number[] => rows.map(({ id }) => id)

/** Hidden records are reported as missing. */
function faultOf(
  access: Access,
  row: EntityRow | undefined,
  catalog_id: number | null,
  right: 'edit' | 'delete',
): RowFault | null {
  if (!row || row.is_deleted === 1 || row.catalog_id !== catalog_id || !can(access, 'view', row))
    return rowFault('hidden')
  return can(access, right, row) ? null : rowFault('cannot_change')
}

const requests = (rows: readonly Named[]) =>
  rows.map(({ position, id }) => ({ id, request_id: String(position) }))

const names = (tags: readonly string[] | undefined) => tags?.map((name) => ({ name }))

function patchesOf(rows: readonly Named[], changes: Changes): RecordPatch[] {
  const { status, responsible_user_id } = changes
  const [tags_to_add, tags_to_delete] = [names(changes.tags_to_add), names(changes.tags_to_delete)]
  return requests(rows).map((named) => ({
    ...named,
    ...(status && { status_id: status.status_id }),
    ...(status?.pipeline_id !== undefined && { pipeline_id: status.pipeline_id }),
    ...(responsible_user_id !== undefined && { responsible_user_id }),
    ...(tags_to_add && { tags_to_add }),
    ...(tags_to_delete && { tags_to_delete }),
  }))
}
