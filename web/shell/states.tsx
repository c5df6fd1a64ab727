import { Button } from '@mantine/core'
import { IconPlugX } from '@tabler/icons-react'
import { type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Empty } from '../parts/empty.tsx'
import { LoadingRows } from '../parts/loaded.tsx'
import { Page } from '../parts/page.tsx'
import { ProblemCallout } from '../parts/problem-callout.tsx'

/** A page that failed to load or to draw. The navigation around it stays. */
export function ProblemPage({ error, reset }: ErrorComponentProps) {
  const { t } = useTranslation()
  const router = useRouter()
  const retry = () => {
    reset()
    router.invalidate()
  }
  return (
    <Page title={t('app.failed')}>
      <ProblemCallout error={error} onRetry={retry} />
    </Page>
  )
}

export function LostPage() {
  const { t } = useTranslation()
  return (
    <Page title={t('app.lost')}>
      <Empty
        icon={IconPlugX}
        title={t('app.lost_title')}
        action={
          <Button component={Link} to="/">
            {t('app.to_start')}
          </Button>
        }
      >
        {t('app.lost_text')}
      </Empty>
    </Page>
  )
}

export function WaitingPage() {
  const { t } = useTranslation()
  return (
    <Page title={t('app.loading')}>
      <LoadingRows count={5} />
    </Page>
  )
}
