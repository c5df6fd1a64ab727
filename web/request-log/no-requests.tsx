import { Button } from '@mantine/core'
import { IconArrowsExchange } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../parts/layout/empty-state.tsx'
import { useSession } from '../shell/use-session.ts'
import classes from './requests.module.css'

/** The empty log, or the empty result of filters. */
export function NoRequests({ onClear }: { onClear: (() => void) | undefined }) {
  const { t } = useTranslation()
  const { account } = useSession()
  const clear = onClear && (
    <Button variant="default" onClick={onClear}>
      {t('requests.clear')}
    </Button>
  )
  return (
    <div className={classes.empty}>
      <EmptyState
        icon={IconArrowsExchange}
        title={t(onClear ? 'requests.none_title' : 'requests.empty_title')}
        action={clear}
      >
        {onClear ? t('requests.none_text') : t('requests.empty_text', { address: `${account?.url}/api/v4` })}
      </EmptyState>
    </div>
  )
}
