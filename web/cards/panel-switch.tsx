import { SegmentedControl } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import classes from './card-page.module.css'

const parts = ['fields', 'timeline'] as const
type Part = (typeof parts)[number]

/** Narrow screens show one panel of a card at a time. */
export function PanelSwitch({ value, onChange }: { value: Part; onChange: (part: Part) => void }) {
  const { t } = useTranslation()
  return (
    <div className={classes.switch}>
      <SegmentedControl
        fullWidth
        aria-label={t('card.parts')}
        value={value}
        onChange={(part) => onChange(part as Part)}
        data={parts.map((part) => ({ value: part, label: t(`card.${part}`) }))}
      />
    </div>
  )
}
