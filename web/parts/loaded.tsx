import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './loaded.module.css'
import { ProblemCallout } from './problem-callout.tsx'

interface Asked<Data> {
  data: Data | undefined
  error: Error | null
  refetch: () => unknown
}

interface LoadedProps<Data> {
  query: Asked<Data>
  /** How many rows stand in for the answer while it is on its way. */
  rows?: number
  children: (data: Data) => ReactNode
}

/** The answer of a query; before it comes its outline, and when it is refused the reason with a button to ask again. */
export function Loaded<Data>({ query, rows = 4, children }: LoadedProps<Data>) {
  if (query.data !== undefined) return children(query.data)
  if (query.error) return <ProblemCallout error={query.error} onRetry={() => query.refetch()} />
  return <LoadingRows count={rows} />
}

export function LoadingRows({ count }: { count: number }) {
  const { t } = useTranslation()
  return (
    <div className={classes.rows} role="status" aria-label={t('app.loading')}>
      {Array.from({ length: count }, (_, row) => row).map((row) => (
        <div key={row} className={classes.row}>
          <div className={`${classes.bone} ${classes.long}`} />
          <div className={`${classes.bone} ${classes.short}`} />
          <div className={`${classes.bone} ${classes.quiet}`} />
        </div>
      ))}
    </div>
  )
}
