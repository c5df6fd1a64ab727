const listeners = new Set<() => void>()

/** Calls the listener before every commit of this process, until the returned function is called. */
export function onCommit(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** For the drivers: a transaction is about to commit. */
export function noteCommit(): void {
  for (const listener of listeners) listener()
}
