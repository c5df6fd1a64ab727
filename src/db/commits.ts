const listeners = new Set<() => void>()

/** Calls the listener whenever this process is about to commit something, until what is answered is called. */
export function onCommit(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** For the drivers: a transaction is about to be committed. */
export function noteCommit(): void {
  for (const listener of listeners) listener()
}
