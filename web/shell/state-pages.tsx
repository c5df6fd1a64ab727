import { Box, Button } from '@mantine/core'
import { type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { isPartMissing, isUnreachable, Problem } from '../api/problem.ts'
import { useReturn } from '../api/reachable.ts'
import { LoadingRows } from '../parts/layout/loaded.tsx'
import { Page } from '../parts/layout/page.tsx'
import { ProblemCallout } from '../parts/layout/problem-callout.tsx'
import { PlainLayout } from './plain-layout.tsx'

/** Returns a retry function, which also runs when the server responds again. */
function useRetry(error: unknown, reset: () => void): () => void {
  const router = useRouter()
  const retry = () => {
    // A browser caches a failed module until the page is reloaded.
    if (isPartMissing(error)) return window.location.reload()
    reset()
    router.invalidate()
  }
  useReturn(() => {
    if (isUnreachable(error)) retry()
  })
  return retry
}

/** An error page inside the navigation. To lack a permission is no error. */
export function ProblemPage({ error, reset }: ErrorComponentProps) {
  const { t } = useTranslation()
  const retry = useRetry(error, reset)
  if (error instanceof Problem && error.code === 'forbidden')
    return <DeadEnd title={t('app.closed_title')} lead={t('problems.forbidden')} />
  return (
    <Page title={t('app.failed')}>
      <ProblemCallout error={error} onRetry={retry} />
    </Page>
  )
}

/** An error page without navigation, for example if the session cannot be loaded. */
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
  return <DeadEnd title={t('app.lost_title')} lead={t('app.lost_text')} />
}

function DeadEnd({ title, lead }: { title: string; lead: string }) {
  const { t } = useTranslation()
  return (
    <Page title={title} lead={lead}>
      <Button component={Link} to="/">
        {t('app.to_start')}
      </Button>
    </Page>
  )
}

/** A placeholder for a page that is loading. */
export function WaitingPage() {
  return (
    <Box p="var(--pb-8)">
      <LoadingRows count={6} />
    </Box>
  )
}
