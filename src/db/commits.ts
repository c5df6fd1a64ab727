import { AsyncLocalStorage } from 'node:async_hooks'

/** Set as soon as something that was done under the watch is committed, or may be: before the database is told to. */
export interface CommitWatch {
  committed: boolean
}

const watches = new AsyncLocalStorage<CommitWatch>()

/** Runs something, and what follows from it, under a watch. */
export function watchCommits(watch: CommitWatch, run: () => void): void {
  watches.run(watch, run)
}

/** For the drivers: a transaction is about to be committed. */
export function noteCommit(): void {
  const watch = watches.getStore()
  if (watch) watch.committed = true
}
