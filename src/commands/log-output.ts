import { writeSync } from 'node:fs'

/** Bytes of lines that wait while the output cannot be written. Later ones are dropped. */
const MOST_UNWRITTEN = 4 * 1_024 * 1_024
/** Milliseconds between two attempts to write. */
const RETRY_MS = 10
/** Attempts before the program ends. */
const LAST_ATTEMPTS = 100

export interface Output {
  write(text: string): void
  /** Called before the program ends: gives a slow reader one more second. */
  flushSync(): void
}

/**
 * Writes at once, and keeps what cannot be written for later. A disk that is full ends neither the program nor a last message,
 * and a reader that has stopped reading does not stop the program: with its output on a pipe, `write` would wait for it.
 */
export function openOutput(fd: number): Output {
  let unwritten: Buffer[] = []
  let size = 0
  let timer: NodeJS.Timeout | undefined
  const tryAll = (): unknown => {
    try {
      for (let [first] = unwritten; first; [first] = unwritten) {
        const written = writeSync(fd, first)
        size -= written
        if (written === first.length) unwritten.shift()
        else unwritten[0] = first.subarray(written)
      }
      return undefined
    } catch (error) {
      // So that the next attempts are one write each.
      if (unwritten.length > 1) unwritten = [Buffer.concat(unwritten)]
      return error
    }
  }
  const retry = (): void => {
    timer = setTimeout(() => {
      timer = undefined
      if (tryAll()) retry()
    }, RETRY_MS).unref()
  }
  return {
    write: (text) => {
      const bytes = Buffer.from(text)
      if (size + bytes.length > MOST_UNWRITTEN) return
      unwritten.push(bytes)
      size += bytes.length
      if (!timer && tryAll()) retry()
    },
    flushSync: () => {
      for (let attempt = 0; attempt < LAST_ATTEMPTS; attempt++) {
        const error = tryAll() as NodeJS.ErrnoException | undefined
        if (error?.code !== 'EAGAIN') return
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS)
      }
    },
  }
}
