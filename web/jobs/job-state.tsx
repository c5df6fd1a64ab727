import { useTranslation } from 'react-i18next'
import { isUnderWay, type JobSummary } from '../data/jobs.ts'
import { Status, type Tone } from '../parts/layout/status.tsx'
import { shareOf } from '../parts/running-jobs.tsx'
import { useFormat } from '../parts/texts/format.ts'

const tones: Record<JobSummary['state'], Tone> = {
  draft: 'off',
  waiting: 'warn',
  running: 'warn',
  done: 'good',
  failed: 'danger',
  cancelled: 'off',
  undoing: 'warn',
  undone: 'off',
}

/** The state of a job, with its progress or its rejected rows. */
export function JobState({ job }: { job: JobSummary }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { state, failed } = job
  const isPartly = state === 'done' && failed > 0
  return (
    <Status tone={isPartly ? 'warn' : tones[state]}>
      {isPartly
        ? t('jobs.state.partly', { count: failed, number: format.number(failed) })
        : t(`jobs.state.${state}`)}
      {isUnderWay(job) && ` ${t('jobs.percent', { share: Math.floor(shareOf(job) * 100) })}`}
    </Status>
  )
}
