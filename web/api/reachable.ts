import { useEffect, useRef, useSyncExternalStore } from 'react'
import { createListeners } from './listeners.ts'

/** Milliseconds between two checks whether the server responds again. */
const AGAIN = [1_000, 2_000, 5_000, 10_000]
/** Milliseconds between two checks while the browser reports no network, although the server responds. */
const WITHOUT_NETWORK = 3_000

/** Milliseconds after which a check has failed: a connection can break without a sign. */
const LATE_MS = 8_000

let isReachable = true
let isAsking = false
/** A request has broken off since the last check began. */
let isDoubted = false
let nextDoubt: ReturnType<typeof setTimeout> | undefined
const listeners = createListeners()

/** Whether the server responded last. While it does not, it is checked repeatedly. */
export const useReachable = (): boolean => useSyncExternalStore(listen, () => isReachable)

/** Runs the callback when the server responds again after a break. */
export function useReturn(run: () => void): void {
  const reachable = useReachable()
  const wasReachable = useRef(reachable)
  useEffect(() => {
    if (reachable && !wasReachable.current) run()
    wasReachable.current = reachable
  })
}

/**
 * Checks the server after a request or stream broke off, before anything is shown: a page that is left breaks its own
 * requests.
 */
export async function doubtReachable(): Promise<void> {
  isDoubted = true
  if (isAsking) return
  isAsking = true
  while (isDoubted) {
    isDoubted = false
    for (let tries = 0; !(await answers()); tries += 1) {
      tell(false)
      await rest(AGAIN[Math.min(tries, AGAIN.length - 1)] ?? 0)
    }
  }
  isAsking = false
  tell(true)
  if (navigator.onLine) return
  // The last response can have been on its way when the network was lost. A server on the same machine needs none.
  clearTimeout(nextDoubt)
  nextDoubt = setTimeout(doubtReachable, WITHOUT_NETWORK)
}

/** Whether the server responds, and soon. */
export async function answers(): Promise<boolean> {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), LATE_MS)
  try {
    return (await fetch('/healthz', { cache: 'no-store', signal: late.signal })).status < 500
  } catch {
    return false
  } finally {
    clearTimeout(timer)
  }
}

/** Ends early when the browser reports that the network is back. */
const rest = (milliseconds: number) =>
  new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer)
      window.removeEventListener('online', end)
      resolve()
    }
    const timer = setTimeout(end, milliseconds)
    window.addEventListener('online', end)
  })

function tell(reachable: boolean): void {
  if (reachable === isReachable) return
  isReachable = reachable
  listeners.tell()
}

function listen(listener: () => void): () => void {
  // The browser keeps it once.
  window.addEventListener('offline', doubtReachable)
  return listeners.listen(listener)
}
