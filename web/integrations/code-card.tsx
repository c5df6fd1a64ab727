import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Code } from '../data/installations.ts'
import { Callout } from '../parts/layout/callout.tsx'
import { Copyable } from '../parts/texts/copyable.tsx'
import { clock, useNow } from '../parts/texts/use-now.ts'
import classes from './code-card.module.css'

/** An authorization code with its remaining time, and a button for a new one. */
export function CodeCard({
  code,
  onFresh,
  pending,
}: {
  code: Code
  onFresh?: () => void
  pending?: boolean
}) {
  const { t } = useTranslation()
  const left = code.expires_at - useNow()
  const fresh = onFresh && (
    <Button variant="default" onClick={onFresh} loading={pending}>
      {t('code.fresh')}
    </Button>
  )
  if (left <= 0) {
    return (
      <Callout tone="warn" title={t('code.expired')} actions={fresh}>
        {t('code.expired_text')}
      </Callout>
    )
  }
  return (
    <div className={classes.card}>
      <Copyable label={t('code.label')} value={code.code} />
      <div className={classes.under}>
        <span className={classes.left} role="timer" aria-label={t('code.left_label')}>
          {t('code.left', { time: clock(left) })}
        </span>
        {fresh}
      </div>
    </div>
  )
}
