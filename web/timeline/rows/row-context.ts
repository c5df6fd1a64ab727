import { createContext, useContext } from 'react'
import type { Card } from '../../data/timeline.ts'

/** The data that all rows of a timeline share. */
interface Shared {
  card: Card
  canWrite: boolean
}

/** The rows that show the current state of a task. Beside the rest, because it changes with every page of items. */
export const TasksAt = createContext<ReadonlySet<string>>(new Set())

export const RowContext = createContext<Shared | null>(null)

export function useShared(): Shared {
  const shared = useContext(RowContext)
  if (!shared) throw new Error('this stands on a timeline')
  return shared
}
