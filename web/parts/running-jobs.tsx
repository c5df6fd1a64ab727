import { IconLoader2 } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { CSSProperties } from 'react'
import { useTranslation } from 'react-i18next'
import { type JobSummary, runningJobsOptions } from '../data/jobs.ts'
import { useJobTitle } from './job-title.ts'
import classes from './running-jobs.module.css'

/** Shows the progress of running imports and bulk changes on every page. */
export function RunningJobs() {
  const { data: jobs = [] } = useQuery(runningJobsOptions)
  const [first] = jobs
  if (!first) return null
  return <Running job={first} others={jobs.length - 1} />
}

function Running({ job, others }: { job: JobSummary; others: number }) {
  const { t } = useTranslation()
  const title = useJobTitle()(job)
  const share = shareOf(job)
  const text = others > 0 ? t('jobs.and_more', { title, others }) : title
  return (
    <Link to="/import/$jobId" params={{ jobId: String(job.id) }} className={classes.running} title={text}>
      <IconLoader2 size={15} stroke={1.7} className={classes.turning} aria-hidden />
      <span className={classes.words}>{text}</span>
      <span className={classes.share}>{t('jobs.percent', { share: Math.floor(share * 100) })}</span>
      <span className={classes.bar} style={{ '--pb-share': share } as CSSProperties} aria-hidden />
    </Link>
  )
}

/** Returns the progress of a job from 0 to 1; for an undo, the share that is undone. */
export function shareOf({ state, total, done, added, changed, undone, kept }: JobSummary): number {
  const [part, whole] = state === 'undoing' ? [undone + kept, added + changed] : [done, total]
  return whole === 0 ? 0 : part / whole
}
