import { Cancelled, Problem } from '../api/problem.ts'
import { LateReadClient } from './late-reads.ts'

/** A lost connection is retried twice, and so is a server that says when it will answer again. */
export const retry = (failures: number, error: Error): boolean => failures < 2 && canPass(error)

function canPass(error: Error): boolean {
  if (error instanceof Problem) return error.status === 503 && error.retryAfter !== undefined
  return !(error instanceof Cancelled)
}

export const queryClient = new LateReadClient({
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
