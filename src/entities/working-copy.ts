import type { StoredValues } from '../custom-fields/custom-fields.ts'
import type { EntityRow } from '../db/tables.ts'
import type { Fault, FaultCode } from '../errors.ts'

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

/** How a rule complains about the item that it reads. */
export type Complain = (code: FaultCode, path: string, detail: string) => void

/** Collects what is wrong with the items of a batch, under the name that each gave itself. */
export function complaints() {
  const faults: Fault[] = []
  return {
    faults,
    about:
      (request_id: string): Complain =>
      (code, path, detail) => {
        faults.push({ request_id, code, path, detail })
      },
  }
}

export const NOT_A_CHOICE = 'The value you selected is not a valid choice.'

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
