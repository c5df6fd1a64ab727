import { Button, SegmentedControl } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Job, type Reported, type ReportedRow, reportFile, reportOptions } from '../data/jobs.ts'
import { briefOptions } from '../data/record-briefs.ts'
import type { Collection } from '../data/records.ts'
import { Loaded } from '../parts/layout/loaded.tsx'
import { Section } from '../parts/layout/section.tsx'
import { type Column, DataTable } from '../parts/lists/data-table.tsx'
import { LoadMore } from '../parts/lists/load-more.tsx'
import { RecordLink } from '../parts/records/record-link.tsx'
import { useFormat } from '../parts/texts/format.ts'
import { delimiterIn } from '../parts/texts/numbers.ts'
import { useLocale } from '../parts/texts/region.ts'
import classes from './job.module.css'
import { useRowErrorText } from './row-error.ts'

/** The rows that were rejected, skipped, not undone or saved with a warning, with reasons. */
export function RowReport({ job }: { job: Job }) {
  const { t, i18n } = useTranslation()
  const counts = reportedOf(job)
  const locale = useLocale()
  const [chosen, choose] = useState<Reported | 'all'>('all')
  const of = counts.some(([name]) => name === chosen) ? (chosen as Reported) : undefined
  const query = useInfiniteQuery({
    ...reportOptions(job.id, of),
    enabled: counts.length > 0,
    placeholderData: keepPreviousData,
  })
  const columns = useColumns(job)
  if (counts.length === 0) return null
  return (
    <div className={classes.report}>
      <Section
        title={t('jobs.report.title')}
        lead={job.failed > 0 && job.import ? t('jobs.report.lead') : undefined}
        actions={
          <Button
            variant="default"
            component="a"
            href={reportFile(job.id, of, { delimiter: delimiterIn(locale), headings: i18n.language })}
            download
            leftSection={<IconDownload size={15} aria-hidden />}
          >
            {t('jobs.report.download')}
          </Button>
        }
      >
        {counts.length > 1 && <OutcomeFilter counts={counts} chosen={of ?? 'all'} onChange={choose} />}
        <Loaded query={query} rows={3}>
          {({ pages }) => (
            <DataTable
              label={t('jobs.report.title')}
              columns={columns}
              rows={pages.flatMap((report) => report?._embedded.rows ?? [])}
              rowKey={({ row }) => row}
            />
          )}
        </Loaded>
        <LoadMore query={query} />
      </Section>
    </div>
  )
}

/** Returns the number of rows per outcome. Undone jobs have no warnings. */
const reportedOf = ({ failed, kept, skipped, warned, undone }: Job): [Reported, number][] => {
  const counts: [Reported, number][] = [
    ['failed', failed],
    ['kept', kept],
    ['skipped', skipped],
    ['warned', undone + kept > 0 ? 0 : warned],
  ]
  return counts.filter(([, count]) => count > 0)
}

interface OutcomeFilterProps {
  counts: [Reported, number][]
  chosen: Reported | 'all'
  onChange: (chosen: Reported | 'all') => void
}

function OutcomeFilter({ counts, chosen, onChange }: OutcomeFilterProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const kinds = counts.map(([value, count]) => ({
    value,
    label: t('jobs.report.counted', { outcome: t(`jobs.report.of.${value}`), number: format.number(count) }),
  }))
  return (
    <SegmentedControl
      className={classes.outcomes}
      aria-label={t('jobs.report.which')}
      value={chosen}
      onChange={(value) => onChange(value as Reported | 'all')}
      data={[{ value: 'all', label: t('jobs.report.all') }, ...kinds]}
    />
  )
}

function useColumns(job: Job): Column<ReportedRow>[] {
  const { t } = useTranslation()
  const format = useFormat()
  return [
    {
      title: job.import ? t('jobs.report.row') : t('jobs.report.record'),
      narrow: true,
      cell: ({ row, entity_id }) => (
        <span className={classes.number}>
          {entity_id === null ? (
            format.number(row)
          ) : (
            <RecordLink collection={collectionOf(job)} id={entity_id}>
              {job.import ? format.number(row) : <Name collection={collectionOf(job)} id={entity_id} />}
            </RecordLink>
          )}
        </span>
      ),
    },
    {
      title: t('import.outcome.label'),
      cell: ({ outcome }) => (
        <span className={classes.outcome} data-outcome={outcome}>
          {t(`jobs.report.outcome.${outcome}`)}
        </span>
      ),
    },
    ...(job.import
      ? [
          {
            title: t('jobs.report.cells'),
            showFrom: 'wide',
            cell: ({ cells }: ReportedRow) => (
              <span className={classes.cells} title={cells.join(' · ')}>
                {cells.filter(Boolean).join(' · ')}
              </span>
            ),
          } as const,
        ]
      : []),
    { title: t('jobs.report.why'), cell: (row) => <Reasons row={row} columns={job.import?.columns ?? []} /> },
  ]
}

/** The name of a record that a bulk change named; its id if it was deleted or is hidden. */
function Name({ collection, id }: { collection: Collection; id: number }) {
  const { data: record } = useQuery(briefOptions(collection, id))
  return record?.name || `#${id}`
}

/** The reasons, each with its column and value. */
function Reasons({ row: { cells, faults }, columns }: { row: ReportedRow; columns: string[] }) {
  const { t } = useTranslation()
  const textOf = useRowErrorText()
  return faults.map((fault) => {
    const { column, detail } = fault
    const name = column === null ? undefined : columns[column]
    const value = column === null ? undefined : cells[column]
    return (
      <span key={`${column} ${detail}`} className={classes.why}>
        {name && <b>{value ? t('jobs.report.value', { column: name, value }) : `${name}:`}</b>}{' '}
        {textOf(fault)}
      </span>
    )
  })
}

const collectionOf = ({ entity_type, catalog_id }: Job): Collection =>
  catalog_id === null ? (entity_type as Collection) : `catalogs/${catalog_id}/elements`
