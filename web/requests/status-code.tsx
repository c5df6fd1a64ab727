import { useTranslation } from 'react-i18next'
import classes from './status-code.module.css'

/** The status of an answer, colored by its class. */
export function StatusCode({ status }: { status: number | null }) {
  const { t } = useTranslation()
  const group = status === null ? 0 : Math.floor(status / 100)
  return (
    <span className={classes.status} data-class={group}>
      {status ?? <span title={t('requests.status.none')}>{t('requests.no_status')}</span>}
    </span>
  )
}
