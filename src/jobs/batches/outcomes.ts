import type { JobRecordRow } from '../../db/tables.ts'
import type { RowFault } from '../rows/row-error-types.ts'
import type { AddedRecord } from './related-records.ts'
import type { Change } from './snapshots.ts'

export type OutcomeName = 'added' | 'changed' | 'skipped' | 'failed' | 'undone' | 'kept'

/** The outcome of a row, with the data to undo it. */
export interface Outcome {
  outcome: OutcomeName
  entity_id: number | null
  /** Why the row was rejected or skipped, or the warnings of a written row. */
  faults: RowFault[]
  change?: Change
  /** The record was moved to the trash. */
  is_deleted?: boolean
  /** Records that were added for this one. */
  made?: AddedRecord[]
  /** The cells of a reported row. */
  cells?: string[]
}

type Kept = Omit<Outcome, 'outcome' | 'entity_id'>

/** The stored form. Empty members are omitted. */
export function rowOf(
  { account_id, id }: { account_id: number; id: number },
  position: number,
  { outcome, entity_id, faults, made = [], ...rest }: Outcome,
): JobRecordRow {
  const data = {
    ...rest,
    ...(faults.length > 0 && { faults }),
    ...(made.length > 0 && { made }),
  }
  const isEmpty = Object.keys(data).length === 0
  return {
    account_id,
    job_id: id,
    position,
    entity_id,
    outcome,
    data: isEmpty ? null : JSON.stringify(data),
    has_warning: hasWarning({ outcome, faults }) ? 1 : 0,
  }
}

/** Whether a row was written with warnings. */
export const hasWarning = ({ outcome, faults }: Pick<Outcome, 'outcome' | 'faults'>): boolean =>
  (outcome === 'added' || outcome === 'changed') && faults.length > 0

/** Parses a stored row. */
export function outcomeOf({ outcome, entity_id, data }: JobRecordRow): Outcome {
  const kept = (data === null ? {} : JSON.parse(data)) as Partial<Kept>
  return { faults: [], ...kept, outcome: outcome as OutcomeName, entity_id }
}
