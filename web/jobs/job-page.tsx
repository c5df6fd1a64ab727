import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { isUnderWay, type Job, jobOptions } from '../data/jobs.ts'
import { useJobTitle } from '../parts/job-title.ts'
import { LoadingRows } from '../parts/layout/loaded.tsx'
import { Page } from '../parts/layout/page.tsx'
import { ProblemCallout } from '../parts/layout/problem-callout.tsx'
import { ImportSetup } from './import-setup.tsx'
import { JobActions } from './job-actions.tsx'
import { JobLead } from './job-lead.tsx'
import { JobProgress } from './job-progress.tsx'
import { RowReport } from './row-report.tsx'

/** The page of an import or bulk change: setup, progress and result. */
export function JobPage() {
  const { t } = useTranslation()
  const { jobId } = useParams({ from: '/shell/import/$jobId' })
  const query = useQuery(jobOptions(Number(jobId)))
  const back = { to: '/import', label: t('jobs.title_page') } as const
  if (query.data) return <JobShown key={query.data.id} job={query.data} />
  return (
    <Page title={t('jobs.title_page')} back={back}>
      {query.error ? (
        <ProblemCallout error={query.error} onRetry={() => query.refetch()} />
      ) : (
        <LoadingRows count={4} />
      )}
    </Page>
  )
}

function JobShown({ job }: { job: Job }) {
  const { t } = useTranslation()
  const titleOf = useJobTitle()
  const isDraft = job.state === 'draft'
  return (
    <Page
      title={titleOf(job)}
      lead={<JobLead job={job} />}
      back={{ to: '/import', label: t('jobs.title_page') }}
      actions={<JobActions job={job} />}
    >
      {isDraft && job.import ? <ImportSetup job={job} file={job.import} /> : <JobProgress job={job} />}
      {!isDraft && !isUnderWay(job) && <RowReport key={job.state} job={job} />}
    </Page>
  )
}
