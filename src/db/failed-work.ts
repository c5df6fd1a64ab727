import type { Logger } from 'pino'
import type { Context } from '../context.ts'
import { DatabaseUnavailable } from './failures.ts'

/** Milliseconds without another line about the same outage. */
const QUIET_MS = 10_000

/** When each log had its last line about an outage. */
const last_lines = new WeakMap<Logger, number>()

/**
 * Logs why work in the background has failed, which is repeated. All of it fails several times a second while the database
 * cannot be reached, and has one line in ten seconds then.
 */
export function logFailedWork(
  { log, monotonic }: Pick<Context, 'log' | 'monotonic'>,
  error: unknown,
  message: string,
  details: object = {},
): void {
  if (error instanceof DatabaseUnavailable) {
    const now = monotonic()
    if (now - (last_lines.get(log) ?? Number.NEGATIVE_INFINITY) < QUIET_MS) return
    last_lines.set(log, now)
  }
  log.error({ err: error, ...details }, message)
}
