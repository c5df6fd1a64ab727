import { phoneKey } from '../../custom-fields/custom-fields.ts'
import { partsOf } from './cells.ts'
import type { ImportLookup } from './import-lookup.ts'
import { type RowErrorReason, type RowFault, rowFault } from './row-error-types.ts'
import { fieldOfTarget } from './targets.ts'

/** The maximum length of an e-mail address. Longer texts are not matched. */
const LONGEST_ADDRESS = 320
const ADDRESS = /^[^\s@]+@[^\s@]+\.[^\s@.]+$/

/** Whether a text looks like an e-mail address. */
export const isAddress = (text: string): boolean => text.length <= LONGEST_ADDRESS && ADDRESS.test(text)

type Check = [isSound: (value: string) => boolean, warning: RowErrorReason]

/** Checks by field code, for values that are stored but unusable. */
const checks: Record<string, Check | undefined> = {
  PHONE: [(value) => phoneKey(value) !== null, 'not_a_phone'],
  EMAIL: [isAddress, 'not_an_email'],
}

/** The codes of targets in records that an import links. */
const relatedRecordCodes: Record<string, string | undefined> = {
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
  const [isSound, warning] = checks[relatedRecordCodes[target] ?? ownCode ?? ''] ?? []
  if (!isSound || !warning) return []
  // A related record has one phone number and one address, so the whole cell is one value.
  const values = target in relatedRecordCodes ? [cell] : partsOf(cell)
  return values.every(isSound) ? [] : [rowFault(warning, column)]
}
