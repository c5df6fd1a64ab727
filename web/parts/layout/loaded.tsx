import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './loaded.module.css'
import { ProblemCallout } from './problem-callout.tsx'

export interface QueryState<Data> {
  data: Data | undefined
  error: Error | null
  refetch: () => unknown
}

interface LoadedProps<Data> {
  query: QueryState<Data>
  /** The number of placeholder rows while loading. */
  rows?: number
  /** The data reaches the edges of the page: the placeholder and the error get a margin. */
  isWide?: boolean
  children: (data: Data) => ReactNode
}

/** Renders the data of a query, a placeholder while it loads, or its error with a retry button. */
export function Loaded<Data>({ query, rows = 4, isWide = false, children }: LoadedProps<Data>) {
  if (query.data !== undefined) return children(query.data)
  const state = query.error ? (
    <ProblemCallout error={query.error} onRetry={() => query.refetch()} />
  ) : (
    <LoadingRows count={rows} />
  )
  return isWide ? <div className={classes.inset}>{state}</div> : state
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
