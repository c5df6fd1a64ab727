import { useTranslation } from 'react-i18next'
import { jobEnded } from '../../data/jobs.ts'
import { useFormat } from '../texts/format.ts'
import { useNotice } from './use-notice.tsx'

/**
 * Returns a function that waits for the end of a bulk change, and shows a notice if records were rejected or the change
 * stopped. The list shows the changes themselves.
 */
export function useBulkOutcome(): (id: number) => Promise<void> {
  const { t } = useTranslation()
  const format = useFormat()
  const notify = useNotice()
  return async (id) => {
    const job = await jobEnded(id)
    const count = job?.state === 'done' ? job.failed : 0
    if (count === 0 && job?.state !== 'failed') return
    notify({
      title: count > 0 ? t('bulk.rejected', { count, number: format.number(count) }) : t('jobs.stopped'),
      job: { id, text: t('bulk.show_reasons') },
    })
  }
}
