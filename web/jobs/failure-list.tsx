import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type Failure, failuresOptions, type Job } from '../api/jobs.ts'
import type { Collection } from '../api/records.ts'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { useFormat } from '../parts/format.ts'
import { Loaded } from '../parts/loaded.tsx'
import { More } from '../parts/more.tsx'
import { RecordLink } from '../parts/record-link.tsx'
import { Section } from '../parts/section.tsx'
import classes from './job.module.css'
import { useRowFault } from './row-fault.ts'

/** The rows that were refused or could not be undone, each with the reason. */
export function FailureList({ job }: { job: Job }) {
  const { t } = useTranslation()
  const query = useInfiniteQuery(failuresOptions(job.id))
  const columns = useColumns(job)
  return (
    <div className={classes.failures}>
      <Section
        title={t('jobs.failures')}
        lead={job.failed > 0 && job.import ? t('jobs.failures_lead') : undefined}
      >
        <Loaded query={query} rows={3}>
          {({ pages }) => (
            <DataTable
              label={t('jobs.failures')}
              columns={columns}
              rows={pages.flatMap((page) => page._embedded.failures)}
              rowKey={({ row, outcome }) => `${row} ${outcome}`}
            />
          )}
        </Loaded>
        <More query={query} />
      </Section>
    </div>
  )
}

function useColumns(job: Job): Column<Failure>[] {
  const { t } = useTranslation()
  const format = useFormat()
  const told = useRowFault()
  const names = job.import?.columns ?? []
  return [
    {
      title: job.import ? t('jobs.failure.row') : t('jobs.failure.record'),
      cell: ({ row, entity_id }) => (
        <span className={classes.number}>
          {entity_id === null ? (
            format.number(row)
          ) : (
            <RecordLink collection={collectionOf(job)} id={entity_id}>
              {job.import ? format.number(row) : `#${entity_id}`}
            </RecordLink>
          )}
        </span>
      ),
    },
    ...(job.import
      ? [
          {
            title: t('jobs.failure.cells'),
            room: 'medium',
            cell: ({ cells }: Failure) => (
              <span className={classes.cells} title={cells.join(' · ')}>
                {cells.filter(Boolean).join(' · ')}
              </span>
            ),
          } as const,
        ]
      : []),
    {
      title: t('jobs.failure.why'),
      cell: ({ faults }) =>
        faults.map((fault) => (
          <span key={`${fault.column} ${fault.detail}`} className={classes.why}>
            {fault.column !== null && names[fault.column] && `${names[fault.column]}: `}
            {told(fault)}
          </span>
        )),
    },
  ]
}

const collectionOf = ({ entity_type, catalog_id }: Job): Collection =>
  catalog_id === null ? (entity_type as Collection) : `catalogs/${catalog_id}/elements`
