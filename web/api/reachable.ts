import { useEffect, useRef, useSyncExternalStore } from 'react'

/** Milliseconds between two questions whether the server is there again. */
const AGAIN = [1_000, 2_000, 5_000, 10_000]

let isReachable = true
let isAsking = false
const listeners = new Set<() => void>()

/** Whether the server answered last; it is asked until it does. */
export const useReachable = (): boolean => useSyncExternalStore(listen, () => isReachable)

/** Runs what failed again once the server answers after a break. */
export function useReturn(run: () => void): void {
  const reachable = useReachable()
  const wasReachable = useRef(reachable)
  useEffect(() => {
    if (reachable && !wasReachable.current) run()
    wasReachable.current = reachable
  })
}

/** A request or a stream broke off. The server is asked before anything is said, because a page that is left breaks its own. */
export async function doubtReachable(): Promise<void> {
  if (isAsking) return
  isAsking = true
  for (let tries = 0; !(await answers()); tries += 1) {
    tell(false)
    await rest(AGAIN[Math.min(tries, AGAIN.length - 1)] ?? 0)
  }
  isAsking = false
  tell(true)
}

async function answers(): Promise<boolean> {
  try {
    return (await fetch('/healthz', { cache: 'no-store' })).status < 500
  } catch {
    return false
  }
}

/** Ends early when the browser says that the network is back. */
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
  for (const listener of listeners) listener()
}

function listen(listener: () => void): () => void {
  if (listeners.size === 0) window.addEventListener('offline', doubtReachable)
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}
