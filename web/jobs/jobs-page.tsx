import { Button, Menu } from '@mantine/core'
import { IconChevronDown, IconTableImport } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { type ImportedKind, importedKinds, type JobSummary, jobsOptions } from '../data/jobs.ts'
import { useJobTitle } from '../parts/job-title.ts'
import { EmptyState } from '../parts/layout/empty-state.tsx'
import { Loaded } from '../parts/layout/loaded.tsx'
import { Page } from '../parts/layout/page.tsx'
import { type Column, DataTable } from '../parts/lists/data-table.tsx'
import { LoadMore } from '../parts/lists/load-more.tsx'
import { PersonName } from '../parts/people/person-name.tsx'
import { RelativeTime } from '../parts/texts/relative-time.tsx'
import { hasRight, useRights } from '../shell/use-session.ts'
import { JobState } from './job-state.tsx'
import classes from './jobs.module.css'

/** The imports and bulk changes that the reader can see, and buttons that start an import. */
export function JobsPage() {
  const { t } = useTranslation()
  const query = useInfiniteQuery(jobsOptions)
  const rights = useRights()
  const kinds = importedKinds.filter((kind) => hasRight(rights, kind, 'add'))
  const begin = kinds.length > 0 && <BeginImport kinds={kinds} />
  return (
    <Page title={t('jobs.title_page')} lead={t('jobs.lead')} actions={begin}>
      <Loaded query={query} rows={4}>
        {({ pages }) => {
          const jobs = pages.flat()
          return jobs.length > 0 ? <JobTable jobs={jobs} /> : <NoJobs kinds={kinds} />
        }}
      </Loaded>
      <LoadMore query={query} />
    </Page>
  )
}

function BeginImport({ kinds }: { kinds: ImportedKind[] }) {
  const { t } = useTranslation()
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button rightSection={<IconChevronDown size={14} aria-hidden />}>{t('jobs.begin')}</Button>
      </Menu.Target>
      <Menu.Dropdown>
        {kinds.map((kind) => (
          <Menu.Item
            key={kind}
            renderRoot={(props) => <Link to="/import/new/$kind" params={{ kind }} {...props} />}
          >
            {t(`nav.${kind}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

function NoJobs({ kinds }: { kinds: ImportedKind[] }) {
  const { t } = useTranslation()
  return (
    <EmptyState
      icon={IconTableImport}
      title={t('jobs.empty_title')}
      action={
        <div className={classes.begin}>
          {kinds.map((kind) => (
            <Button
              key={kind}
              variant="default"
              renderRoot={(props) => <Link to="/import/new/$kind" params={{ kind }} {...props} />}
            >
              {t(`jobs.begin_${kind}`)}
            </Button>
          ))}
        </div>
      }
    >
      {t('jobs.empty_text')}
    </EmptyState>
  )
}

function JobTable({ jobs }: { jobs: JobSummary[] }) {
  const { t } = useTranslation()
  const titleOf = useJobTitle()
  const columns: Column<JobSummary>[] = [
    {
      title: t('jobs.column.what'),
      cell: (job) => (
        <div className={classes.what}>
          <Link
            to="/import/$jobId"
            params={{ jobId: String(job.id) }}
            data-row-link
            className={classes.name}
            title={titleOf(job)}
          >
            {titleOf(job)}
          </Link>
          <span className={classes.under}>{t(kindWord(job))}</span>
        </div>
      ),
    },
    { title: t('jobs.column.state'), cell: (job) => <JobState job={job} /> },
    {
      title: t('jobs.column.who'),
      showFrom: 'wide',
      cell: ({ created_by, created_by_integration }) => (
        <PersonName id={created_by} integration={created_by_integration} />
      ),
    },
    {
      title: t('jobs.column.when'),
      showFrom: 'medium',
      cell: ({ created_at }) => <RelativeTime at={created_at} />,
    },
  ]
  return <DataTable label={t('jobs.title_page')} columns={columns} rows={jobs} rowKey={({ id }) => id} />
}

const kindWord = ({ kind, entity_type }: JobSummary) =>
  kind === 'import' ? (`jobs.title.import_${entity_type as ImportedKind}` as const) : 'jobs.bulk_change'
