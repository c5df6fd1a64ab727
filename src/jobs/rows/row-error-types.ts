import type { FaultCode } from '../../errors.ts'

interface RowError {
  code: FaultCode
  detail: string
}

/** The errors and warnings that jobs themselves report for a row, by reason. Stored rows contain the reason. */
export const rowErrors = {
  not_a_number: { code: 'InvalidFormat', detail: 'This value is not a number.' },
  not_a_date: { code: 'InvalidFormat', detail: 'This value is not a date.' },
  date_out_of_range: { code: 'OutOfRange', detail: 'This value is not a date.' },
  not_yes_or_no: { code: 'InvalidFormat', detail: 'This value is neither yes nor no.' },
  not_an_id: { code: 'InvalidFormat', detail: 'This value is not an id.' },
  not_a_phone: { code: 'InvalidFormat', detail: 'This does not look like a phone number.' },
  not_an_email: { code: 'InvalidFormat', detail: 'This does not look like an e-mail address.' },
  price_out_of_range: { code: 'OutOfRange', detail: 'A price must be a number of at least 0.' },
  too_long: { code: 'TooLong', detail: 'This value is too long. It should have 255 characters or less.' },
  field_deleted: { code: 'NotSupportedChoice', detail: 'The field of this column was deleted.' },
  no_such_pipeline: { code: 'NotSupportedChoice', detail: 'No pipeline has this name.' },
  no_such_stage: { code: 'NotSupportedChoice', detail: 'No stage has this name.' },
  no_such_person: { code: 'NotSupportedChoice', detail: 'Nobody has this name or e-mail.' },
  several_people: {
    code: 'NotSupportedChoice',
    detail: 'Several people have this name. Use the e-mail instead.',
  },
  no_such_choice: { code: 'NotSupportedChoice', detail: 'The field does not have this choice.' },
  no_such_record: { code: 'NotSupportedChoice', detail: 'No record has this id.' },
  too_many_cells: { code: 'TooMany', detail: 'The row has more cells than the file has columns.' },
  too_many_values: { code: 'TooMany', detail: 'This cell has more than 250 values.' },
  no_values: { code: 'NotBlank', detail: 'The row has no values to import.' },
  no_name: { code: 'FieldMissing', detail: 'The row has no name.' },
  not_allowed: { code: 'InvalidFormat', detail: 'A value of this row is not allowed.' },
  same_id: { code: 'NotUnique', detail: 'A record with this id already exists.' },
  same_phone: { code: 'NotUnique', detail: 'A record with this phone number already exists.' },
  same_email: { code: 'NotUnique', detail: 'A record with this e-mail address already exists.' },
  same_name: { code: 'NotUnique', detail: 'A record with this name already exists.' },
  same_site: { code: 'NotUnique', detail: 'A record with this website already exists.' },
  same_values: { code: 'NotUnique', detail: 'The record already has these values.' },
  cannot_change: { code: 'NotSupportedChoice', detail: 'You cannot change this record.' },
  forbidden: { code: 'NotSupportedChoice', detail: 'Insufficient rights to call this method' },
  hidden: { code: 'NotSupportedChoice', detail: 'This record does not exist or is hidden from you.' },
  in_trash: { code: 'NotSupportedChoice', detail: 'This record is in the trash.' },
  not_restorable: {
    code: 'NotSupportedChoice',
    detail: 'This record cannot be restored from the trash.',
  },
  changed_since: { code: 'NotSupportedChoice', detail: 'Changed since' },
} as const satisfies Record<string, RowError>
export type RowErrorReason = keyof typeof rowErrors
export const rowErrorReasons = Object.keys(rowErrors) as RowErrorReason[]

/** A fault of a row and its column; null for the whole row. Faults from other rules have no reason. */
export interface RowFault extends RowError {
  column: number | null
  reason?: RowErrorReason
}

/** Creates the fault of a reason. `names` are added to its detail. */
export function rowFault(reason: RowErrorReason, column: number | null = null, names?: string): RowFault {
  const { code, detail } = rowErrors[reason]
  return { column, reason, code, detail: names === undefined ? detail : `${detail}: ${names}` }
}
