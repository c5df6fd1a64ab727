import { Button } from '@mantine/core'
import { type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { isPartMissing, isUnreachable } from '../api/problem.ts'
import { useReturn } from '../api/reachable.ts'
import { LoadingRows } from '../parts/loaded.tsx'
import { Page } from '../parts/page.tsx'
import { ProblemCallout } from '../parts/problem-callout.tsx'
import { PlainLayout } from './plain-layout.tsx'
import classes from './state-pages.module.css'

/** Asks once more; by itself when the server is there again. */
function useRetry(error: unknown, reset: () => void): () => void {
  const router = useRouter()
  const retry = () => {
    // A browser keeps in mind that it could not read a part of the program, until the page is loaded anew.
    if (isPartMissing(error)) return window.location.reload()
    reset()
    router.invalidate()
  }
  useReturn(() => {
    if (isUnreachable(error)) retry()
  })
  return retry
}

/** A page that failed to load or to draw. The navigation around it stays. */
export function ProblemPage({ error, reset }: ErrorComponentProps) {
  const { t } = useTranslation()
  const retry = useRetry(error, reset)
  return (
    <Page title={t('app.failed')}>
      <ProblemCallout error={error} onRetry={retry} />
    </Page>
  )
}

/** The same before there is any navigation, for example when the server cannot say who is there. */
export function StartProblem({ error, reset }: ErrorComponentProps) {
  const { t } = useTranslation()
  const retry = useRetry(error, reset)
  return (
    <PlainLayout title={t('app.failed')}>
      <ProblemCallout error={error} onRetry={retry} />
    </PlainLayout>
  )
}

export function NotFoundPage() {
  const { t } = useTranslation()
  return (
    <PlainLayout title={t('app.lost_title')} lead={t('app.lost_text')}>
      <Button component={Link} to="/">
        {t('app.to_start')}
      </Button>
    </PlainLayout>
  )
}

/** The outline of a page that is on its way: it has its heading once it is there. */
export function WaitingPage() {
  return (
    <div className={classes.waiting}>
      <LoadingRows count={6} />
    </div>
  )
}
