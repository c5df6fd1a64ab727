import { type CSSProperties, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { type StageColor, stageColors } from '../../src/pipelines/stage-color-types.ts'
import classes from './pipelines.module.css'

/** Selects a stage color. */
export function Palette({ value, onChange }: { value: string; onChange: (color: StageColor) => void }) {
  const { t } = useTranslation()
  const name = useId()
  return (
    <fieldset className={classes.palette}>
      <legend>{t('stages.color')}</legend>
      {stageColors.map((color, i) => (
        <label key={color} className={classes.swatch} style={{ '--pb-stage': color } as CSSProperties}>
          <input
            type="radio"
            name={name}
            checked={color === value.toLowerCase()}
            onChange={() => onChange(color)}
            aria-label={t('stages.color_number', { number: i + 1, count: stageColors.length })}
          />
        </label>
      ))}
    </fieldset>
  )
}
