import { type DestinationStream, type Logger, pino } from 'pino'
import type { Config } from '../config.ts'
import { DatabaseUnavailable } from '../db/failures.ts'
import { openOutput } from './log-output.ts'

/** Lines of a turn that are passed on before its end, in characters. */
const LARGE = 65_536

/** An outage makes many lines, and its stack says nothing that its message does not say. */
function shownError(error: Error): object {
  const shown = pino.stdSerializers.err(error)
  if (!(error instanceof DatabaseUnavailable)) return shown
  const { stack: _, ...rest } = shown
  return rest
}

/** The flushes of all logs of this process, which run before it ends. */
const flushes: (() => void)[] = []
process.once('exit', () => {
  for (const flush of flushes) flush()
})

/** The log of the program: JSON lines on standard output, or on standard error if a command has the other one. */
export function createLog(config: Pick<Config, 'mode' | 'log_level' | 'workers'>): Logger {
  // Node makes a pipe non-blocking when the program first uses its stream.
  const { fd } = config.mode === 'command' ? process.stderr : process.stdout
  const lines = byTurns(openOutput(fd))
  flushes.push(lines.flushSync)
  return pino(
    {
      level: config.log_level,
      base: config.workers > 1 ? { pid: process.pid } : null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: ['req.headers', 'headers'],
      serializers: { err: shownError },
    },
    lines,
  )
}

/**
 * Passes the lines of a turn of the event loop on together, at its end. A write to standard output takes longer than
 * everything else that a line costs, and under load a turn answers many requests (S12).
 */
export function byTurns(destination: DestinationStream & { flushSync?(): void }) {
  let lines = ''
  const flush = (): void => {
    if (lines === '') return
    const text = lines
    lines = ''
    destination.write(text)
  }
  return {
    write: (line: string): void => {
      if (lines === '') setImmediate(flush)
      lines += line
      if (lines.length > LARGE) flush()
    },
    flush,
    /** Called by the logger for a fatal error, before the process ends. */
    flushSync: (): void => {
      flush()
      destination.flushSync?.()
    },
  }
}
