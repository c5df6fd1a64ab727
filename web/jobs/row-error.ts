import { useTranslation } from 'react-i18next'
import type { ReportedRow } from '../data/jobs.ts'
import { useFaultText } from '../parts/problem-text.ts'

type Fault = ReportedRow['faults'][number]

/** What importing itself says of rows, by the sentence of the server: the rules of records say theirs by code. */
const sentences = {
  'This value is not a number.': 'number',
  'This value is not a date.': 'date',
  'This value is neither yes nor no.': 'flag',
  'This value is not an id.': 'id',
  'A price is a number from 0 on.': 'price',
  'There is no pipeline of this name.': 'pipeline',
  'There is no stage of this name.': 'stage',
  'There is nobody of this name or e-mail.': 'person',
  'Several people have this name: write the e-mail.': 'people',
  'The field has no such choice.': 'choice',
  'There is no record of this id.': 'record',
  'The row has more cells than there are columns.': 'cells',
  'There is nothing in this row that is imported.': 'empty',
  'The row has no name.': 'name',
  'You may not change this record.': 'rights',
  'This record is not there any more, or is hidden from you.': 'gone',
  'This record is in the trash.': 'trash',
  'A record with this telephone number is there already.': 'same_phone',
  'A record with this e-mail address is there already.': 'same_email',
  'A record with this name is there already.': 'same_name',
  'A record with this website is there already.': 'same_site',
  'The record with this id is there already.': 'same_id',
  'The record has these values already.': 'same_values',
  'This does not look like a telephone number.': 'no_phone',
  'This does not look like an e-mail address.': 'no_email',
  'Insufficient rights to call this method': 'rights',
} as const
const SINCE = 'Changed since: '

/** What is said of a row, in the reader's language. */
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
