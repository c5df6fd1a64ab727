import { Button } from '@mantine/core'
import { IconActivity } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../parts/layout/empty-state.tsx'
import classes from './log.module.css'

/** The empty log, or the empty result of filters. */
export function NoEvents({ onClear }: { onClear: (() => void) | undefined }) {
  const { t } = useTranslation()
  if (!onClear)
    return (
      <div className={classes.empty}>
        <EmptyState icon={IconActivity} title={t('events.empty_title')}>
          {t('events.empty_text')}
        </EmptyState>
      </div>
    )
  return (
    <div className={classes.empty}>
      <EmptyState
        icon={IconActivity}
        title={t('events.none_title')}
        action={
          <Button variant="default" onClick={onClear}>
            {t('events.clear')}
          </Button>
        }
      >
        {t('events.none_text')}
      </EmptyState>
    </div>
  )
}
