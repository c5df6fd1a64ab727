import { type DestinationStream, type Logger, pino } from 'pino'
import type { Config } from '../config.ts'
import { DatabaseUnavailable } from '../db/failures.ts'

/** Lines of a turn that are passed on before its end, in characters. */
const LARGE = 65_536
/** Bytes of lines that wait while the output cannot be written. Later ones are dropped. */
const MOST_UNWRITTEN = 4 * 1_024 * 1_024

/** An outage makes many lines, and its stack says nothing that its message does not say. */
function shownError(error: Error): object {
  const shown = pino.stdSerializers.err(error)
  if (!(error instanceof DatabaseUnavailable)) return shown
  const { stack: _, ...rest } = shown
  return rest
}

const [STANDARD_OUTPUT, STANDARD_ERROR] = [1, 2]

/** The flushes of all logs of this process, which run before it ends. */
const flushes: (() => void)[] = []
process.once('exit', () => {
  for (const flush of flushes) flush()
})

/** The log of the program: JSON lines on standard output, or on standard error if a command has the other one. */
export function createLog(config: Pick<Config, 'mode' | 'log_level' | 'workers'>): Logger {
  const lines = byTurns(openOutput(config.mode === 'command' ? STANDARD_ERROR : STANDARD_OUTPUT))
  flushes.push(lines.flush)
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

/** A full disk under the output, often that of the data too, ends neither the program nor a last message. */
function openOutput(dest: number) {
  const output = pino.destination({ dest, sync: true, maxLength: MOST_UNWRITTEN })
  output.on('error', () => {})
  return {
    write: (text: string): void => void output.write(text),
    flushSync: (): void => {
      try {
        output.flushSync()
      } catch {}
    },
  }
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
