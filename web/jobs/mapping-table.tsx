import { IconArrowRight } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { Import } from '../data/jobs.ts'
import { SearchSelect } from '../parts/forms/search-select.tsx'
import { useClearable } from '../parts/forms/use-clearable.ts'
import type { SetupProps } from './import-setup.tsx'
import classes from './mapping.module.css'
import { useTargetGroups } from './target-labels.ts'

/** Sample values shown per column. */
const SAMPLES = 3

/** A row per column of the file: its name, sample values and target field. */
export function MappingTable({ job, file, setup, onChange }: SetupProps & { file: Import }) {
  const { t } = useTranslation()
  const clearable = useClearable()
  const groups = useTargetGroups(job.entity_type, file.targets)
  const chosen = new Map(setup.mapping.map(({ column, target }) => [column, target]))
  const taken = new Set(setup.mapping.map(({ target }) => target))
  const isFree = (target: string, column: number) =>
    chosen.get(column) === target ||
    !taken.has(target) ||
    file.targets.some((one) => one.target === target && one.is_repeatable)
  const set = (column: number, target: string | null) => {
    const others = setup.mapping.filter((one) => one.column !== column)
    const mapping = target === null ? others : [...others, { column, target }]
    onChange({ mapping: mapping.toSorted((a, b) => a.column - b.column) })
  }
  return (
    <ul className={classes.mapping} aria-label={t('import.mapping')}>
      {file.columns.map((name, column) => {
        const called = name || t('import.column_number', { number: column + 1 })
        const target = chosen.get(column) ?? null
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: columns are known by their place
          <li key={column} className={classes.row} data-unused={target === null || undefined}>
            <div className={classes.column}>
              <span className={classes.name} title={called}>
                {called}
              </span>
              <Samples cells={file.rows.map((row) => row[column] ?? '')} />
            </div>
            <IconArrowRight size={15} stroke={1.7} className={classes.arrow} aria-hidden />
            <SearchSelect
              aria-label={t('import.target_of', { name: called })}
              placeholder={t('import.not_imported')}
              {...clearable(called)}
              nothingFoundMessage={t('app.nothing')}
              data={groups.map(({ group, items }) => ({
                group,
                items: items.filter(({ value }) => isFree(value, column)),
              }))}
              value={target}
              onChange={(value) => set(column, value)}
            />
          </li>
        )
      })}
    </ul>
  )
}

function Samples({ cells }: { cells: string[] }) {
  const { t } = useTranslation()
  const filled = [...new Set(cells.filter(Boolean))].slice(0, SAMPLES)
  if (filled.length === 0) return <span className={classes.samples}>{t('import.empty_column')}</span>
  return (
    <span className={classes.samples} title={filled.join(' · ')}>
      {filled.join(' · ')}
    </span>
  )
}
