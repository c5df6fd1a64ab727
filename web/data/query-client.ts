import { QueryClient } from '@tanstack/react-query'
import { Problem } from '../api/problem.ts'

/** A refusal is not retried. A lost connection is retried twice. */
const retry = (failures: number, error: Error) => !(error instanceof Problem) && failures < 2

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { staleTime: 15_000, retry, refetchOnWindowFocus: true },
    mutations: { retry: false, networkMode: 'always' },
  },
})
