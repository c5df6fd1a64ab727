import { Select } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { CountInput } from '../parts/forms/count-input.tsx'
import classes from './automation.module.css'
import { type Duration, type Unit, unitSeconds, units } from './durations.ts'

interface DurationInputProps {
  label: string
  description?: string
  /** The name of the choice without a time. */
  none: string
  /** null: without a time. */
  value: Duration | null
  onChange: (value: Duration | null) => void
  error?: ReactNode
}

/** The longest time is a year. */
const MOST_DAYS = 366

/** A number of seconds, minutes, hours or days, or a choice without a time. */
export function DurationInput({ label, description, none, value, onChange, error }: DurationInputProps) {
  const { t } = useTranslation()
  return (
    <div className={classes.duration}>
      <Select
        className={classes.unit}
        label={label}
        description={description}
        data={[
          { value: 'none', label: none },
          ...units.map((unit) => ({ value: unit, label: t(`automation.in.${unit}`) })),
        ]}
        value={value?.unit ?? 'none'}
        onChange={(unit) =>
          onChange(unit === 'none' || !unit ? null : { count: value?.count ?? 1, unit: unit as Unit })
        }
        allowDeselect={false}
        error={error}
      />
      {value && (
        <CountInput
          className={classes.count}
          aria-label={t(`automation.count.${value.unit}`)}
          min={0}
          max={(MOST_DAYS * unitSeconds.days) / unitSeconds[value.unit]}
          value={value.count}
          onChange={(count) => onChange({ ...value, count })}
        />
      )}
    </div>
  )
}
