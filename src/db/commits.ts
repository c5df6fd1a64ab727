/** Where a commit happens: in this process, or in another one of this server. */
export type CommitPlace = 'here' | 'elsewhere'

const listeners = new Set<(place: CommitPlace) => void>()

/**
 * Calls the listener before every commit of this process and shortly after those of the others of this server, until
 * the returned function is called.
 */
export function onCommit(listener: (place: CommitPlace) => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** For the drivers: a transaction is about to commit. */
export function noteCommit(place: CommitPlace = 'here'): void {
  for (const listener of listeners) listener(place)
}
