import type { StoredValues } from '../../custom-fields/custom-fields.ts'
import type { EntityRow } from '../../db/tables.ts'
/** A record during a write: its stored and its planned state. Differences are saved and recorded. */
export interface WorkingCopy {
  /** null for a new record. */
  before: EntityRow | null
  row: EntityRow
  values_before: StoredValues
  values: StoredValues
  tags_before: ReadonlySet<number>
  tags: Set<number>
  /** The user recorded as the editor; undefined means the caller. */
  updated_by?: number
  updated_at?: number
  /** Something other than columns, values and tags was written (a link, or equal values). */
  touched: boolean
}

/** Creates a working copy of a new record. */
export function newCopy(row: EntityRow): WorkingCopy {
  return {
    before: null,
    row,
    values_before: {},
    values: {},
    tags_before: new Set(),
    tags: new Set(),
    touched: true,
  }
}

export function copyOf(row: EntityRow, values: StoredValues, tags: number[]): WorkingCopy {
  return {
    before: { ...row },
    row,
    values_before: values,
    values,
    tags_before: new Set(tags),
    tags: new Set(tags),
    touched: false,
  }
}
