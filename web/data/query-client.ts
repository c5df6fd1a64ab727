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

/** Resolves when no write is pending, or after the limit. */
export function writesEnded(limit_ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const check = () => {
    if (queryClient.isMutating() === 0) resolve()
  }
  const stop = queryClient.getMutationCache().subscribe(check)
  const timer = setTimeout(resolve, limit_ms)
  check()
  return promise.finally(() => {
    stop()
    clearTimeout(timer)
  })
}
