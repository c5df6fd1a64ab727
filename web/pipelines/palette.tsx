import { type CSSProperties, useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { StageColor } from '../data/pipeline-changes.ts'
import classes from './pipelines.module.css'

/** The platform's stage colors; the type requires exactly these. */
const palette = {
  '#fffeb2': true,
  '#fffd7f': true,
  '#fff000': true,
  '#ffeab2': true,
  '#ffdc7f': true,
  '#ffce5a': true,
  '#ffdbdb': true,
  '#ffc8c8': true,
  '#ff8f92': true,
  '#d6eaff': true,
  '#c1e0ff': true,
  '#98cbff': true,
  '#ebffb1': true,
  '#deff81': true,
  '#87f2c0': true,
  '#f9deff': true,
  '#f3beff': true,
  '#ccc8f9': true,
  '#eb93ff': true,
  '#f2f3f4': true,
  '#e6e8ea': true,
} satisfies Record<StageColor, true>
const colors = Object.keys(palette) as StageColor[]

/** Selects a stage color. */
export function Palette({ value, onChange }: { value: string; onChange: (color: StageColor) => void }) {
  const { t } = useTranslation()
  const name = useId()
  return (
    <fieldset className={classes.palette}>
      <legend>{t('stages.color')}</legend>
      {colors.map((color, i) => (
        <label key={color} className={classes.swatch} style={{ '--pb-stage': color } as CSSProperties}>
          <input
            type="radio"
            name={name}
            checked={color === value.toLowerCase()}
            onChange={() => onChange(color)}
            aria-label={t('stages.color_number', { number: i + 1, count: colors.length })}
          />
        </label>
      ))}
    </fieldset>
  )
}
