import { useTranslation } from 'react-i18next'
import { Callout } from '../../parts/callout.tsx'
import classes from './composer.module.css'

/** Replaces the composer for people without permission to reply. */
export function ReadOnlyNotice() {
  const { t } = useTranslation()
  return (
    <div className={classes.closed}>
      <Callout tone="info" title={t('composer.reading_title')}>
        {t('composer.reading_text')}
      </Callout>
    </div>
  )
}
