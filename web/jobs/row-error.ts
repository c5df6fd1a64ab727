import { useTranslation } from 'react-i18next'
import type { Language } from '../../src/events/event-types.ts'
import {
  type RowErrorReason,
  rowErrorReasons,
  rowErrors,
  rowErrorText,
} from '../../src/jobs/rows/row-error-types.ts'
import type { ReportedRow } from '../data/jobs.ts'
import { useFaultText } from '../parts/layout/problem-text.ts'

type Fault = ReportedRow['faults'][number]

/** Returns the text of a row's error in the reader's language. */
export function useRowErrorText(): (fault: Fault) => string {
  const { i18n } = useTranslation()
  const text = useFaultText()
  return (fault) => {
    const reason = (fault.reason as RowErrorReason | undefined) ?? reasonOf(fault)
    return reason ? rowErrorText(reason, i18n.language as Language) : text({ ...fault, path: '' })
  }
}

/** The reason of a row that was stored before rows had reasons. */
const reasonOf = ({ detail }: Fault): RowErrorReason | undefined =>
  rowErrorReasons.find((reason) => {
    const known = rowErrors[reason].detail
    return detail === known || detail.startsWith(`${known}: `)
  })
