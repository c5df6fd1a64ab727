import { readdirSync, readFileSync } from 'node:fs'

/** The user and system time of a program and of its database server, in microseconds. */
export interface CpuTime {
  server: number
  /** 0 if the database is embedded. */
  database: number
}

/**
 * The CPU time in microseconds that a process with all its threads, and its descendants, have used so far. Linux counts
 * it in nanoseconds for each thread, and does not count the time that a thread waits for a core.
 */
export function cpuTimeOf(pid: number): number {
  return treeOf(pid).reduce((sum, one) => sum + nanosecondsOf(one), 0) / 1_000
}

/** A process and its descendants. */
function treeOf(pid: number): number[] {
  const children = threadsOf(pid).flatMap((thread) => numbersIn(`/proc/${pid}/task/${thread}/children`))
  return [pid, ...children.flatMap(treeOf)]
}

const nanosecondsOf = (pid: number): number =>
  threadsOf(pid).reduce(
    (sum, thread) => sum + (numbersIn(`/proc/${pid}/task/${thread}/schedstat`)[0] ?? 0),
    0,
  )

/** Empty if the process has ended. */
function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`)
  } catch {
    return []
  }
}

/** The numbers of a file; empty if its thread has ended. */
function numbersIn(file: string): number[] {
  try {
    return readFileSync(file, 'utf8').split(/\s+/).filter(Boolean).map(Number)
  } catch {
    return []
  }
}
