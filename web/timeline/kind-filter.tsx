import { useTranslation } from 'react-i18next'
import { type TimelineKind, timelineKinds } from '../../src/events/event-types.ts'
import classes from './rows/timeline.module.css'

interface KindFilterProps {
  chosen: TimelineKind[]
  onChange: (kinds: TimelineKind[]) => void
}

/** Filters a timeline by kind; no selection means all. */
export function KindFilter({ chosen, onChange }: KindFilterProps) {
  const { t } = useTranslation()
  const toggle = (kind: TimelineKind) =>
    onChange(timelineKinds.filter((one) => chosen.includes(one) !== (one === kind)))
  return (
    <fieldset className={classes.kinds} aria-label={t('timeline.kinds')}>
      <button type="button" aria-pressed={chosen.length === 0} onClick={() => onChange([])}>
        {t('timeline.all')}
      </button>
      {timelineKinds.map((kind) => (
        <button key={kind} type="button" aria-pressed={chosen.includes(kind)} onClick={() => toggle(kind)}>
          {t(`timeline.kind.${kind}`)}
        </button>
      ))}
    </fieldset>
  )
}
