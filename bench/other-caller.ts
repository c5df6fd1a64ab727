import { createHistogram } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'

/** The times of answers in milliseconds. */
export interface Times {
  p50: number
  p99: number
  longest: number
  /** Answers 503, with which a server asks to come again later. */
  busy: number
}

interface OtherCaller {
  port: number
  token: string
  /** The n-th request. */
  request(n: number): { path: string; method?: string; body?: object }
  /** Milliseconds between an answer and the next request. */
  every: number
}

/** Sends requests one after the other beside the work that is measured, and returns the times of their answers. */
export function startCalling({ port, token, request, every }: OtherCaller): { stop(): Promise<Times> } {
  const times = createHistogram()
  let busy = 0
  let isDone = false
  const calls = (async () => {
    for (let n = 0; !isDone; n++) {
      const { path, method = 'GET', body } = request(n)
      const sent = performance.now()
      const response = await fetch(`http://127.0.0.1:${port}/api/v4/${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
        body: body ? JSON.stringify(body) : null,
      })
      await response.arrayBuffer()
      if (response.status === 503) busy++
      else if (response.status >= 300) throw new Error(`${method} ${path}: ${response.status}`)
      times.record(Math.max(1, Math.round((performance.now() - sent) * 1e6)))
      await pause(every)
    }
  })()
  // Thrown when the caller is stopped.
  calls.catch(() => {})
  return {
    stop: async () => {
      isDone = true
      await calls
      const ms = (nanoseconds: number) => nanoseconds / 1e6
      return {
        p50: ms(times.percentile(50)),
        p99: ms(times.percentile(99)),
        longest: ms(times.max),
        busy,
      }
    },
  }
}

/** The account and a page of leads, by turns. */
export const reading = (n: number) => ({
  path: n % 2 ? 'account' : 'leads?limit=50&order[updated_at]=desc',
})

export const timesText = ({ p50, p99, longest }: Times): string =>
  [p50, p99, longest].map((ms) => ms.toFixed(1)).join(' / ')
