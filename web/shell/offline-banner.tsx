import { IconPlugConnectedX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useReachable, useReturn } from '../api/reachable.ts'
import { queryClient } from '../data/query-client.ts'
import classes from './offline-banner.module.css'

/** Shows that the server does not respond, and reloads all data when it responds again. */
export function OfflineBanner() {
  const { t } = useTranslation()
  const isReachable = useReachable()
  useReturn(() => void queryClient.invalidateQueries())
  return (
    <div role="status">
      {!isReachable && (
        <div className={classes.sign}>
          <IconPlugConnectedX size={16} stroke={1.7} aria-hidden />
          {t('app.no_connection')}
        </div>
      )}
    </div>
  )
}
