import { createContext, useContext } from 'react'
import type { Card } from '../data/timeline.ts'

/** What all rows of a timeline know. */
interface Shared {
  card: Card
  canWrite: boolean
  /** The rows on which a task is shown as it is now. */
  tasksAt: ReadonlySet<string>
}

export const RowContext = createContext<Shared | null>(null)

export function useShared(): Shared {
  const shared = useContext(RowContext)
  if (!shared) throw new Error('this stands on a timeline')
  return shared
}
