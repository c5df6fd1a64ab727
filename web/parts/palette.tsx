import { type CSSProperties, useId } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './palette.module.css'

interface PaletteProps<Color extends string> {
  colors: readonly Color[]
  value: string
  onChange: (color: Color) => void
  /** The CSS color of a choice. */
  cssColor?: (color: Color) => string
}

/** Selects one of several colors. */
export function Palette<Color extends string>({
  colors,
  value,
  onChange,
  cssColor = (color) => color,
}: PaletteProps<Color>) {
  const { t } = useTranslation()
  const name = useId()
  return (
    <fieldset className={classes.palette}>
      <legend>{t('stages.color')}</legend>
      {colors.map((color, i) => (
        <input
          key={color}
          type="radio"
          name={name}
          className={classes.swatch}
          style={{ '--pb-swatch': cssColor(color) } as CSSProperties}
          checked={color === value}
          onChange={() => onChange(color)}
          aria-label={t('stages.color_number', { number: i + 1, count: colors.length })}
        />
      ))}
    </fieldset>
  )
}
