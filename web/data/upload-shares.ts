import { useSyncExternalStore } from 'react'

const shares = new Map<string, number>()
const listeners = new Set<() => void>()

/** Keeps how much of a file has been uploaded, from 0 to 1, under the key of what it belongs to; undefined ends it. */
export function tellShare(key: string, share: number | undefined): void {
  if (share === undefined) shares.delete(key)
  else shares.set(key, share)
  for (const listener of listeners) listener()
}

const listen = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** How much of the file has been uploaded, from 0 to 1. */
export const useShare = (key: string): number => useSyncExternalStore(listen, () => shares.get(key) ?? 0)
