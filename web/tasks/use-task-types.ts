import { useQuery } from '@tanstack/react-query'
import { accountOptions } from '../data/accounts.ts'

export interface TaskType {
  id: number
  name: string
}

/** Returns the account's task types in order. */
export function useTaskTypes(): TaskType[] {
  const { data } = useQuery(accountOptions)
  return data?._embedded?.task_types ?? []
}
