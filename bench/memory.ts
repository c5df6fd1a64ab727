import { readFileSync, writeFileSync } from 'node:fs'

/** The resident memory of a process or its peak, in MiB, as reported by Linux. */
export function memoryOf(pid: number, what: 'VmRSS' | 'VmHWM'): number {
  const kibibytes = new RegExp(`^${what}:\\s+(\\d+) kB`, 'm').exec(
    readFileSync(`/proc/${pid}/status`, 'utf8'),
  )
  return Number(kibibytes?.[1]) / 1024
}

/** Resets the peak. */
export const resetPeak = (pid: number): void => writeFileSync(`/proc/${pid}/clear_refs`, '5')
