import type { StoredValues } from '../custom-fields/custom-fields.ts'
import type { EntityRow } from '../db/tables.ts'
/** A record while it is being written: as it was found, and as it will be. What differs is saved and recorded. */
export interface WorkingCopy {
  /** null: the record is new. */
  before: EntityRow | null
  row: EntityRow
  values_before: StoredValues
  values: StoredValues
  tags_before: ReadonlySet<number>
  tags: Set<number>
  /** Who is named as having changed it; undefined: whoever asks. */
  updated_by?: number
  updated_at?: number
  /** Something besides columns, values and tags was written (a link, or the same values again). */
  touched: boolean
}

/** A record that is not there yet. */
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
