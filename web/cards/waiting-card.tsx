import { useTranslation } from 'react-i18next'
import { LoadingRows, type QueryState } from '../parts/loaded.tsx'
import { usePageTitle } from '../parts/page.tsx'
import { ProblemCallout } from '../parts/problem-callout.tsx'
import classes from './card-page.module.css'

/** The page of a record that is not there yet, or could not be loaded. */
export function WaitingCard({ query: { error, refetch } }: { query: QueryState<unknown> }) {
  return (
    <div className={classes.waiting}>
      {error ? <Failed error={error} onRetry={() => refetch()} /> : <LoadingRows count={8} />}
    </div>
  )
}

function Failed(problem: { error: Error; onRetry: () => void }) {
  const { t } = useTranslation()
  usePageTitle(t('app.failed'))
  return (
    <>
      <h1>{t('app.failed')}</h1>
      <ProblemCallout {...problem} />
    </>
  )
}
