import type { Tx } from '../../db/database.ts'
import { inSavepoint } from '../../db/savepoints.ts'
import { type Fault, type FaultCode, Refusal } from '../../errors.ts'
import type { RowFault } from './row-error-types.ts'

/** The faults of the rejected rows of a batch, by position. */
export type RejectedRows = Map<number, RowFault[]>

/** The codes of refusals without faults. */
const codes: Partial<Record<Refusal['reason'], FaultCode>> = {
  forbidden: 'NotSupportedChoice',
  not_found: 'NotSupportedChoice',
}

/**
 * Processes rows without the rejected ones. A failed attempt is rolled back, the rows that its refusal names are
 * removed, and the rest is tried again. If a refusal names no row, the rows are split in half to find it. `columnOf` finds the
 * column of a fault. Returns the rejected rows.
 */
export async function withoutRejected<Row extends { position: number }>(
  tx: Tx,
  rows: readonly Row[],
  attempt: (rows: readonly Row[]) => Promise<void>,
  columnOf: (row: Row, path: string) => number | null = () => null,
): Promise<RejectedRows> {
  const rejected: RejectedRows = new Map()
  let left = rows
  while (left.length > 0) {
    const refusal = await tried(tx, left, attempt)
    if (refusal === null) return rejected
    const named = faultsByRow(refusal)
    const some = left.filter(({ position }) => named.has(position))
    for (const row of some) {
      const faults = named.get(row.position) as Fault[]
      rejected.set(
        row.position,
        faults.map((fault) => rowFaultOf(fault, columnOf(row, fault.path))),
      )
    }
    if (some.length > 0) {
      left = left.filter((row) => !some.includes(row))
      continue
    }
    const [only] = left
    if (left.length === 1 && only) {
      rejected.set(only.position, [wholeFault(refusal)])
      return rejected
    }
    const half = Math.ceil(left.length / 2)
    for (const part of [left.slice(0, half), left.slice(half)])
      for (const [position, faults] of await withoutRejected(tx, part, attempt, columnOf))
        rejected.set(position, faults)
    return rejected
  }
  return rejected
}

async function tried<Row>(
  tx: Tx,
  rows: readonly Row[],
  attempt: (rows: readonly Row[]) => Promise<void>,
): Promise<Refusal | null> {
  try {
    await inSavepoint(tx, () => attempt(rows))
    return null
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

/** The faults of each row. The request_id of a draft is the position of its row. */
const faultsByRow = ({ faults }: Refusal): Map<number, Fault[]> =>
  Map.groupBy(faults, ({ request_id }) => Number(request_id))

/** People know columns and not paths. */
function rowFaultOf({ code, path, detail }: Fault, column: number | null): RowFault {
  const isKnown = column !== null || path === '' || path.startsWith('custom_fields_values')
  return { column, code, detail: isKnown ? detail : `${path}: ${detail}` }
}

const wholeFault = ({ reason, code, message }: Refusal): RowFault => ({
  column: null,
  ...(code === 'forbidden' && { reason: code }),
  code: codes[reason] ?? 'InvalidFormat',
  detail: message,
})
