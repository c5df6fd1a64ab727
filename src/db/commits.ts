import { AsyncLocalStorage } from 'node:async_hooks'

/** Set as soon as something that was done under the watch is committed, or may be: before the database is told to. */
export interface CommitWatch {
  committed: boolean
}

const watches = new AsyncLocalStorage<CommitWatch>()
const listeners = new Set<() => void>()

/** Runs something, and what follows from it, under a watch. */
export function watchCommits(watch: CommitWatch, run: () => void): void {
  watches.run(watch, run)
}

/** Calls the listener whenever this process is about to commit something, until what is answered is called. */
export function onCommit(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** For the drivers: a transaction is about to be committed. */
export function noteCommit(): void {
  const watch = watches.getStore()
  if (watch) watch.committed = true
  for (const listener of listeners) listener()
}
