import { phoneKey } from '../custom-fields/custom-fields.ts'
import { partsOf } from './cells.ts'
import type { ImportLookup } from './import-lookup.ts'
import type { RowFault } from './row-drafts.ts'
import { fieldOfTarget } from './targets.ts'

/** Letters of the longest address; what is longer is not looked at. */
const LONGEST_ADDRESS = 320
const ADDRESS = /^[^\s@]+@[^\s@]+\.[^\s@.]+$/

/** Whether a text looks like an e-mail address. */
export const isAddress = (text: string): boolean => text.length <= LONGEST_ADDRESS && ADDRESS.test(text)

type Check = [isSound: (value: string) => boolean, detail: string]

/** By the code of a field: values that are stored as they are, and that nobody can call or write to. */
const checks: Record<string, Check | undefined> = {
  PHONE: [(value) => phoneKey(value) !== null, 'This does not look like a telephone number.'],
  EMAIL: [isAddress, 'This does not look like an e-mail address.'],
}

const companions: Record<string, string | undefined> = {
  'contact.phone': 'PHONE',
  'contact.email': 'EMAIL',
  'company.phone': 'PHONE',
}

/** What looks wrong in a cell that is written all the same. */
export function warningsOf(
  column: number,
  target: string,
  cell: string,
  { fields }: Pick<ImportLookup, 'fields'>,
): RowFault[] {
  const ownCode = fieldOfTarget(target, fields)?.field.code
  const [isSound, detail] = checks[companions[target] ?? ownCode ?? ''] ?? []
  if (!isSound || !detail) return []
  // A companion has one telephone and one address: its cell is taken whole.
  const values = target in companions ? [cell] : partsOf(cell)
  return values.every(isSound) ? [] : [{ column, code: 'InvalidFormat', detail }]
}
