import { phoneKey } from '../custom-fields/custom-fields.ts'
import { partsOf } from './cells.ts'
import type { ImportLookup } from './import-lookup.ts'
import type { RowFault } from './row-drafts.ts'
import { fieldOfTarget } from './targets.ts'

/** The maximum length of an e-mail address. Longer texts are not matched. */
const LONGEST_ADDRESS = 320
const ADDRESS = /^[^\s@]+@[^\s@]+\.[^\s@.]+$/

/** Whether a text looks like an e-mail address. */
export const isAddress = (text: string): boolean => text.length <= LONGEST_ADDRESS && ADDRESS.test(text)

type Check = [isSound: (value: string) => boolean, detail: string]

/** Checks by field code, for values that are stored but unusable. */
const checks: Record<string, Check | undefined> = {
  PHONE: [(value) => phoneKey(value) !== null, 'This does not look like a phone number.'],
  EMAIL: [isAddress, 'This does not look like an e-mail address.'],
}

const companions: Record<string, string | undefined> = {
  'contact.phone': 'PHONE',
  'contact.email': 'EMAIL',
  'company.phone': 'PHONE',
}

/** The warnings of a cell. */
export function warningsOf(
  column: number,
  target: string,
  cell: string,
  { fields }: Pick<ImportLookup, 'fields'>,
): RowFault[] {
  const ownCode = fieldOfTarget(target, fields)?.field.code
  const [isSound, detail] = checks[companions[target] ?? ownCode ?? ''] ?? []
  if (!isSound || !detail) return []
  // A related record has one phone number and one address, so the whole cell is one value.
  const values = target in companions ? [cell] : partsOf(cell)
  return values.every(isSound) ? [] : [{ column, code: 'InvalidFormat', detail }]
}
