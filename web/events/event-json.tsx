import { useTranslation } from 'react-i18next'
import type { LogEvent } from '../data/events.ts'
import classes from './event-json.module.css'

/** An event in the format of the API. */
export function EventJson({ event }: { event: LogEvent }) {
  const { t } = useTranslation()
  return (
    <section
      className={classes.json}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is scrolled with the keys too
      tabIndex={0}
      aria-label={t('events.json')}
    >
      <pre>{JSON.stringify(event, null, 2)}</pre>
    </section>
  )
}
