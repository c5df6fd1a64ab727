import type { JobRecordRow } from '../db/tables.ts'
import type { AddedRecord } from './related-records.ts'
import type { RowFault } from './row-drafts.ts'
import type { Change } from './snapshots.ts'

export type OutcomeName = 'added' | 'changed' | 'skipped' | 'failed' | 'undone' | 'kept'

/** What became of a row, with what its undoing has to know. */
export interface Outcome {
  outcome: OutcomeName
  entity_id: number | null
  /** Why it was refused or skipped; of a row that was written, what looks wrong in it. */
  faults: RowFault[]
  change?: Change
  /** It was put in the trash. */
  is_deleted?: boolean
  /** What was added for it beside its record. */
  made?: AddedRecord[]
  /** The cells of a row of which there is something to say. */
  cells?: string[]
}

type Kept = Omit<Outcome, 'outcome' | 'entity_id'>

/** As it is stored: what is empty is not written. */
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

/** Whether a row was written although a value of it looks wrong. */
export const hasWarning = ({ outcome, faults }: Pick<Outcome, 'outcome' | 'faults'>): boolean =>
  (outcome === 'added' || outcome === 'changed') && faults.length > 0

/** What a stored row tells. */
export function outcomeOf({ outcome, entity_id, data }: JobRecordRow): Outcome {
  const kept = (data === null ? {} : JSON.parse(data)) as Partial<Kept>
  return { faults: [], ...kept, outcome: outcome as OutcomeName, entity_id }
}
