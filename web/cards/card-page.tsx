import { useQuery } from '@tanstack/react-query'
import { Problem } from '../api/problem.ts'
import { type Collection, recordOptions } from '../data/records.ts'
import { OpenCard } from './open-card.tsx'
import { TrashedCard } from './trashed-card.tsx'
import { WaitingCard } from './waiting-card.tsx'

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
  return <WaitingCard query={query} />
}
