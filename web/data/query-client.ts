import { QueryClient } from '@tanstack/react-query'
import { Problem } from '../api/problem.ts'

/** A refusal is an answer and is not asked for again; a lost connection is tried twice more. */
const retry = (failures: number, error: Error) => !(error instanceof Problem) && failures < 2

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { staleTime: 15_000, retry, refetchOnWindowFocus: true },
    mutations: { retry: false, networkMode: 'always' },
  },
})
