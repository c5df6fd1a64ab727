import { useTranslation } from 'react-i18next'
import type { ReportedRow } from '../data/jobs.ts'
import { useFaultText } from '../parts/problem-text.ts'

type Fault = ReportedRow['faults'][number]

/** Errors of the import itself, by the server's English text; other errors have codes. */
const sentences = {
  'This value is not a number.': 'number',
  'This value is not a date.': 'date',
  'This value is neither yes nor no.': 'flag',
  'This value is not an id.': 'id',
  'A price must be a number of at least 0.': 'price',
  'No pipeline has this name.': 'pipeline',
  'No stage has this name.': 'stage',
  'Nobody has this name or e-mail.': 'person',
  'Several people have this name. Use the e-mail instead.': 'people',
  'The field does not have this choice.': 'choice',
  'No record has this id.': 'record',
  'The row has more cells than the file has columns.': 'cells',
  'The row has no values to import.': 'empty',
  'The row has no name.': 'name',
  'You cannot change this record.': 'rights',
  'This record does not exist or is hidden from you.': 'gone',
  'This record is in the trash.': 'trash',
  'A record with this phone number already exists.': 'same_phone',
  'A record with this e-mail address already exists.': 'same_email',
  'A record with this name already exists.': 'same_name',
  'A record with this website already exists.': 'same_site',
  'A record with this id already exists.': 'same_id',
  'The record already has these values.': 'same_values',
  'This does not look like a phone number.': 'no_phone',
  'This does not look like an e-mail address.': 'no_email',
  'Insufficient rights to call this method': 'rights',
} as const
const SINCE = 'Changed since: '

/** Returns the text of a row's error in the reader's language. */
export function useRowErrorText(): (fault: Fault) => string {
  const { t } = useTranslation()
  const text = useFaultText()
  return ({ code, detail }) => {
    const known = sentences[detail as keyof typeof sentences]
    if (known) return t(`import.fault.${known}`)
    if (detail.startsWith(SINCE)) return t('import.fault.since')
    return text({ code, path: '', detail })
  }
}
