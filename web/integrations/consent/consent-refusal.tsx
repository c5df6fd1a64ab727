import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { Problem } from '../../api/problem.ts'
import { Callout } from '../../parts/layout/callout.tsx'
import { useProblemText } from '../../parts/layout/problem-text.ts'
import { PlainLayout } from '../../shell/plain-layout.tsx'
import { useSession } from '../../shell/use-session.ts'
import classes from './consent.module.css'

const explained = [
  'unknown_integration',
  'redirect_uri_mismatch',
  'not_administrator',
  'redirect_uri_unavailable',
  'redirect_uri_not_https',
  'code_challenge_not_supported',
  'stale_form',
] as const

/** Explains why authorization cannot continue. It only links to the application. */
export function ConsentRefusal({ problem, onRetry }: { problem: Problem; onRetry: () => void }) {
  const { t } = useTranslation()
  const text = useProblemText()
  const { user } = useSession()
  const code = explained.find((name) => name === problem.code)
  const canPass = problem.status === 503 || problem.status === 429
  return (
    <PlainLayout title={t('consent.refused')} wide>
      <Callout tone="danger" title={code ? t(`consent.refusal.${code}.title`) : text(problem).title} live>
        {code ? t(`consent.refusal.${code}.text`) : text(problem).detail}
      </Callout>
      {code === 'not_administrator' && user && (
        <p className={classes.note}>{t('consent.signed_in', { email: user.email })}</p>
      )}
      <div className={classes.buttons}>
        <Button variant="default" component={Link} to="/">
          {t('consent.to_app')}
        </Button>
        {canPass && <Button onClick={onRetry}>{t('act.try_again')}</Button>}
      </div>
    </PlainLayout>
  )
}
