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

/** Linux counts the time of a whole process in hundredths of a second. */
const TICK_US = 10_000

/** The same, with the threads and processes that have ended, but only to a hundredth of a second: for works of seconds. */
export function wholeCpuTimeOf(pid: number): number {
  return treeOf(pid).reduce((sum, one) => sum + ticksOf(one), 0) * TICK_US
}

/** User and system time of a process and of its children that have ended. A name before them can have spaces. */
function ticksOf(pid: number): number {
  const words = textIn(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ') ?? []
  return words.slice(11, 15).reduce((sum, word) => sum + Number(word), 0)
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

const numbersIn = (file: string): number[] => textIn(file).split(/\s+/).filter(Boolean).map(Number)

/** The text of a file; empty if its thread or process has ended. */
function textIn(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
