import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type Job, moveJob } from '../data/jobs.ts'
import form from '../parts/forms/form.module.css'
import { useAction } from '../parts/forms/use-action.ts'
import { useFormat } from '../parts/texts/format.ts'

/** A sticky bar with the number of rows and the start button. */
export function StartBar({ job, isReady }: { job: Job; isReady: boolean }) {
  const { t } = useTranslation()
  const format = useFormat()
  const start = useAction(moveJob(job.id, 'start'))
  const counted = { count: job.total, number: format.number(job.total) }
  return (
    <div className={form.bar}>
      <span>{t('import.start_text')}</span>
      <Button disabled={!isReady} loading={start.pending} onClick={() => start.run(undefined)}>
        {t('import.start', counted)}
      </Button>
    </div>
  )
}
