import { Progress } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { type ImportedKind, isUnderWay, type Job } from '../data/jobs.ts'
import { Callout } from '../parts/layout/callout.tsx'
import { shareOf } from '../parts/running-jobs.tsx'
import { useFormat } from '../parts/texts/format.ts'
import classes from './job.module.css'
import { JobState } from './job-state.tsx'

/** The progress of a running job, and the counts of its result. */
export function JobProgress({ job }: { job: Job }) {
  const { t } = useTranslation()
  const format = useFormat()
  const runs = isUnderWay(job)
  return (
    <section className={classes.progress} aria-label={t('jobs.progress')}>
      <div className={classes.line} aria-live="polite">
        <JobState job={job} />
        <span className={classes.done}>
          {runs && job.state !== 'undoing' && `${format.number(job.done)} / ${format.number(job.total)}`}
        </span>
        <SeeAdded job={job} />
      </div>
      {runs && (
        <Progress.Root size={6}>
          <Progress.Section value={shareOf(job) * 100} aria-label={t('jobs.progress')} />
        </Progress.Root>
      )}
      <dl className={classes.counts}>
        {countsOf(job).map(([name, count]) => (
          <div key={name} className={classes.count} data-tone={toneOf(name, count)}>
            <dt>{t(`jobs.count.${name}`)}</dt>
            <dd>{format.number(count)}</dd>
          </div>
        ))}
      </dl>
      {job.state === 'failed' && (
        <Callout tone="danger" title={t('jobs.stopped')}>
          {job.error === 'forbidden' ? t('jobs.stopped_forbidden') : t('jobs.stopped_text')}
        </Callout>
      )}
    </section>
  )
}

type Count = 'added' | 'changed' | 'deleted' | 'skipped' | 'failed' | 'warned' | 'undone' | 'kept'

function countsOf(job: Job): [Count, number][] {
  const { kind, changes, added, changed, skipped, failed, warned, undone, kept, state } = job
  const isUndone = state === 'undoing' || state === 'undone'
  return [
    ...(kind === 'import' ? [['added', added] as [Count, number]] : []),
    [changes?.delete ? 'deleted' : 'changed', changed],
    ['skipped', skipped],
    ['failed', failed],
    ...(warned > 0 && !isUndone ? [['warned', warned] as [Count, number]] : []),
    ...(isUndone
      ? ([
          ['undone', undone],
          ['kept', kept],
        ] as [Count, number][])
      : []),
  ]
}

const toneOf = (name: Count, count: number) =>
  (name === 'failed' || name === 'kept') && count > 0 ? 'danger' : count === 0 ? 'none' : undefined

/** A link to the records that the import added. */
function SeeAdded({ job }: { job: Job }) {
  const { t } = useTranslation()
  const { kind, added, started_at, finished_at, entity_type, created_by, state } = job
  if (kind !== 'import' || added === 0 || started_at === null || state === 'undone' || state === 'undoing')
    return null
  const search = {
    'filter[created_by]': String(created_by),
    'filter[created_at][from]': String(started_at),
    ...(finished_at !== null && { 'filter[created_at][to]': String(finished_at) }),
    shape: 'list',
  }
  return (
    <Link to={`/${entity_type as ImportedKind}`} search={search} className={classes.see}>
      {t('jobs.see_added')}
    </Link>
  )
}
