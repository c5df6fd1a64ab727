import { Button } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../parts/layout/empty-state.tsx'
import classes from './rows/timeline.module.css'

/** The empty timeline, or the empty result of a filter. */
export function EmptyTimeline({ onClear }: { onClear: (() => void) | undefined }) {
  const { t } = useTranslation()
  const action = onClear && (
    <Button variant="default" onClick={onClear}>
      {t('timeline.all')}
    </Button>
  )
  return (
    <div className={classes.empty}>
      <EmptyState
        icon={IconHistory}
        title={t(onClear ? 'timeline.none_title' : 'timeline.empty_title')}
        action={action}
      >
        {t(onClear ? 'timeline.none_text' : 'timeline.empty_text')}
      </EmptyState>
    </div>
  )
}
