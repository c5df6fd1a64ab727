import { Button } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type Import,
  type ImportPatch,
  type Job,
  type PreviewRow,
  previewOptions,
  previewSizes,
  type Target,
} from '../data/jobs.ts'
import { Loaded } from '../parts/layout/loaded.tsx'
import { useFormat } from '../parts/texts/format.ts'
import classes from './preview.module.css'
import { useRowErrorText } from './row-error.ts'
import { useTargetLabel } from './target-labels.ts'

interface PreviewProps {
  job: Job
  file: Import
  stored: Required<ImportPatch>
  /** The preview is outdated, because a new choice is being stored. */
  isOutdated: boolean
}

/** The first rows as they will be imported, with their outcomes and faults. */
export function PreviewTable({ job, file, stored, isOutdated }: PreviewProps) {
  const [size, setSize] = useState<number>(previewSizes[0])
  const query = useQuery({ ...previewOptions(job.id, stored, size), placeholderData: keepPreviousData })
  const { t } = useTranslation()
  const format = useFormat()
  const targets = new Map(file.targets.map((one) => [one.target, one]))
  const columns = stored.mapping.flatMap(({ column, target }): Shown[] => {
    const known = targets.get(target)
    return known ? [{ column, target: known }] : []
  })
  const next = previewSizes.find((one) => one > size)
  if (columns.length === 0) return <p className={classes.nothing}>{t('import.nothing_mapped')}</p>
  return (
    <div aria-busy={isOutdated || query.isPlaceholderData}>
      <Loaded query={query} rows={4}>
        {(rows) => (
          <>
            <Summary rows={rows} />
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways is scrolled by keys too */}
            <section className={classes.scroll} tabIndex={0} aria-label={t('import.preview')}>
              <Rows rows={rows} columns={columns} />
            </section>
            {next !== undefined && job.total > rows.length && (
              <Button
                variant="subtle"
                color="gray"
                size="xs"
                className={classes.more}
                loading={query.isPlaceholderData}
                onClick={() => setSize(next)}
              >
                {t('import.preview_more', { number: format.number(Math.min(next, job.total)) })}
              </Button>
            )}
          </>
        )}
      </Loaded>
    </div>
  )
}

interface Shown {
  column: number
  target: Target
}

const outcomes = ['added', 'changed', 'skipped', 'failed'] as const

function Summary({ rows }: { rows: PreviewRow[] }) {
  const { t } = useTranslation()
  const counts = outcomes.flatMap((outcome) => {
    const count = rows.filter((row) => row.outcome === outcome).length
    return count > 0 ? [t(`import.will_${outcome}`, { count })] : []
  })
  const warned = rows.filter(hasWarning).length
  if (warned > 0) counts.push(t('import.will_warn', { count: warned }))
  return (
    <p className={classes.summary} aria-live="polite">
      {counts.join(' · ')}
    </p>
  )
}

/** The row will be imported although a value looks wrong. */
const hasWarning = ({ outcome, faults }: PreviewRow) =>
  (outcome === 'added' || outcome === 'changed') && faults.length > 0

function Rows({ rows, columns }: { rows: PreviewRow[]; columns: Shown[] }) {
  const { t } = useTranslation()
  const wordOf = useTargetLabel()
  return (
    <table className={classes.table}>
      <thead>
        <tr>
          <th scope="col">{t('jobs.report.row')}</th>
          <th scope="col">{t('import.outcome.label')}</th>
          {columns.map(({ column, target }) => (
            <th key={column} scope="col">
              {wordOf(target)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Row key={row.row} row={row} columns={columns} />
        ))}
      </tbody>
    </table>
  )
}

function Row({ row, columns }: { row: PreviewRow; columns: Shown[] }) {
  const { t } = useTranslation()
  const format = useFormat()
  const textOf = useRowErrorText()
  const wordOf = useTargetLabel()
  const columnOf = new Map(columns.map(({ column, target }) => [column, wordOf(target)]))
  return (
    <tr data-outcome={row.outcome} data-warned={hasWarning(row) || undefined}>
      <td className={classes.number}>{format.number(row.row)}</td>
      <td>
        <span className={classes.outcome}>{t(`import.outcome.${row.outcome}`)}</span>
        {row.faults.map((fault) => (
          <span key={`${fault.column} ${fault.detail}`} className={classes.fault}>
            {fault.column !== null && `${columnOf.get(fault.column)}: `}
            {textOf(fault)}
          </span>
        ))}
      </td>
      {columns.map(({ column, target }) => {
        const fault = row.faults.find((one) => one.column === column)
        const cell = row.cells[column] ?? ''
        const isRefused = fault && row.outcome === 'failed'
        const text = isRefused ? cell : cell && (row.written[target.target] ?? cell)
        return (
          <td key={column} title={text}>
            <span className={classes.cell} data-wrong={(fault && row.outcome !== 'skipped') || undefined}>
              {text}
            </span>
          </td>
        )
      })}
    </tr>
  )
}
