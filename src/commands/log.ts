import { type DestinationStream, type Logger, pino } from 'pino'
import type { Config } from '../config.ts'

/** Lines of a turn that are passed on before its end, in characters. */
const LARGE = 65_536
/** Bytes of lines that wait while standard output cannot be written. Later ones are dropped. */
const MOST_UNWRITTEN = 4 * 1_024 * 1_024

/** The flushes of all logs of this process, which run before it ends. */
const flushes: (() => void)[] = []
process.once('exit', () => {
  for (const flush of flushes) flush()
})

/** The log of the program: JSON lines on standard output. */
export function createLog(config: Pick<Config, 'log_level' | 'workers'>): Logger {
  const lines = byTurns(openOutput())
  flushes.push(lines.flush)
  return pino(
    {
      level: config.log_level,
      base: config.workers > 1 ? { pid: process.pid } : null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: ['req.headers', 'headers'],
    },
    lines,
  )
}

/** Standard output. A full disk under it, often that of the data too, ends neither the program nor a last message. */
function openOutput() {
  const output = pino.destination({ sync: true, maxLength: MOST_UNWRITTEN })
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
