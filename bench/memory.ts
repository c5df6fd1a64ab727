import { readFileSync, writeFileSync } from 'node:fs'

/** The resident memory of a process and its peak in MiB, as Linux reports them. */
export function memoryOf(pid: number, what: 'VmRSS' | 'VmHWM'): number {
  const kibibytes = new RegExp(`^${what}:\\s+(\\d+) kB`, 'm').exec(
    readFileSync(`/proc/${pid}/status`, 'utf8'),
  )
  return Number(kibibytes?.[1]) / 1024
}

/** From now on its peak is counted anew. */
export const resetPeak = (pid: number): void => writeFileSync(`/proc/${pid}/clear_refs`, '5')
