import { useQuery } from '@tanstack/react-query'
import { Problem } from '../api/problem.ts'
import { type Collection, recordOptions } from '../data/records.ts'
import { LoadingRows } from '../parts/loaded.tsx'
import { ProblemCallout } from '../parts/problem-callout.tsx'
import classes from './card-page.module.css'
import { OpenCard } from './open-card.tsx'
import { TrashedCard } from './trashed-card.tsx'

interface CardPageProps {
  collection: Collection
  id: number
}

/** The card of a record: its fields and its timeline. */
export function CardPage({ collection, id }: CardPageProps) {
  const query = useQuery(recordOptions(collection, id))
  const isGone = query.error instanceof Problem && [403, 404].includes(query.error.status)
  if (isGone) return <TrashedCard collection={collection} id={id} />
  if (query.data) return <OpenCard collection={collection} id={id} read={query.data} />
  return (
    <div className={classes.waiting}>
      {query.error ? (
        <ProblemCallout error={query.error} onRetry={() => query.refetch()} />
      ) : (
        <LoadingRows count={8} />
      )}
    </div>
  )
}
