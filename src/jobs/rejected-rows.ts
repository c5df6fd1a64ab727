import type { Tx } from '../db/database.ts'
import { inSavepoint } from '../db/savepoints.ts'
import { type FaultCode, Refusal } from '../errors.ts'
import type { RowFault } from './row-drafts.ts'

/** What the rules said of the rows of a batch that they did not let through, by position. */
export type RejectedRows = Map<number, RowFault[]>

/** How a refusal without faults is withPath; the words of people are the application's. */
const codes: Partial<Record<Refusal['reason'], FaultCode>> = {
  forbidden: 'NotSupportedChoice',
  not_found: 'NotSupportedChoice',
}

/**
 * Does something with rows, without those that are rejected: what a try has written is taken back, the rows that its refusal
 * names are left out, and it is tried again. A refusal that names none is looked for in halves. Answers who was rejected.
 */
export async function withoutRejected<Row extends { position: number }>(
  tx: Tx,
  rows: readonly Row[],
  attempt: (rows: readonly Row[]) => Promise<void>,
): Promise<RejectedRows> {
  const rejected: RejectedRows = new Map()
  let left = rows
  while (left.length > 0) {
    const refusal = await tried(tx, left, attempt)
    if (refusal === null) return rejected
    const named = faultsByRow(refusal)
    const some = left.filter(({ position }) => named.has(position))
    for (const { position } of some) rejected.set(position, named.get(position) as RowFault[])
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
      for (const [position, faults] of await withoutRejected(tx, part, attempt))
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

/** Drafts are named by the positions of their rows. */
function faultsByRow({ faults }: Refusal): RejectedRows {
  const found: RejectedRows = new Map()
  for (const { request_id, code, path, detail } of faults) {
    const position = Number(request_id)
    found.set(position, [
      ...(found.get(position) ?? []),
      { column: null, code, detail: withPath(path, detail) },
    ])
  }
  return found
}

const withPath = (path: string, detail: string): string =>
  path === '' || path.startsWith('custom_fields_values') ? detail : `${path}: ${detail}`

const wholeFault = ({ reason, message }: Refusal): RowFault => ({
  column: null,
  code: codes[reason] ?? 'InvalidFormat',
  detail: message,
})
