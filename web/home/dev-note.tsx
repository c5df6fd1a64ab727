import { useTranslation } from 'react-i18next'
import classes from './dev-note.module.css'
import { HomeSection } from './home-section.tsx'

/** A hint for people who try the server on their own machine. */
export function DevNote() {
  const { t } = useTranslation()
  return (
    <HomeSection title={t('app.dev_mode')}>
      <p className={classes.text}>{t('home.dev_keys')}</p>
      <p className={classes.text}>
        <a href={REFERENCE}>{t('home.dev_reference')}</a>
      </p>
    </HomeSection>
  )
}

const REFERENCE = '/api/reference'
