import { useTranslation } from 'react-i18next'
import type { Job } from '../data/jobs.ts'
import { PersonName } from '../parts/people/person-name.tsx'
import { useFormat } from '../parts/texts/format.ts'
import { RelativeTime } from '../parts/texts/relative-time.tsx'
import classes from './job.module.css'

const delimiters: Record<string, 'comma' | 'semicolon' | 'tab' | 'bar' | undefined> = {
  ',': 'comma',
  ';': 'semicolon',
  '\t': 'tab',
  '|': 'bar',
}

/** The format of a draft's file, or the person who started the job and the time. */
export function JobLead({ job }: { job: Job }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { total, created_by, created_at } = job
  const rows = t('import.rows_count', { count: total, number: format.number(total) })
  if (job.state === 'draft' && job.import) {
    const { columns, size, encoding, is_encoding_guessed, delimiter } = job.import
    const parts = [
      rows,
      t('import.columns_count', { count: columns.length }),
      format.size(size),
      is_encoding_guessed
        ? t('import.encoding_guessed', { encoding: encoding.toUpperCase() })
        : encoding.toUpperCase(),
      t(`import.delimiter.${delimiters[delimiter] ?? 'comma'}`),
    ]
    return <span className={classes.lead}>{parts.join(' · ')}</span>
  }
  return (
    <span className={classes.lead}>
      <PersonName id={created_by} integration={job.created_by_integration} />
      <RelativeTime at={created_at} />
      {job.kind === 'import' && <span>{rows}</span>}
    </span>
  )
}
