import { constants } from 'node:buffer'
import type { Readable } from 'node:stream'
import { machineError } from './machine-errors.ts'

/** A file that is not a backup, is incomplete, or has another version. */
export class DumpError extends Error {
  override name = 'DumpError'
}

/**
 * The lines of each chunk of a backup. The pieces of a long line are joined once. Throws DumpError for a line of more than
 * `longest` characters: by default those of the longest text, because a line was written as one.
 */
export async function* linesOf(
  bytes: Readable,
  longest: number = constants.MAX_STRING_LENGTH,
): AsyncGenerator<string[]> {
  let pieces: string[] = []
  let length = 0
  for await (const text of bytes.setEncoding('utf8')) {
    const [first = '', ...others] = (text as string).split('\n')
    pieces.push(first)
    length += first.length
    if (length > longest) throw new DumpError(`The backup has a line of more than ${longest} characters.`)
    const last = others.pop()
    if (last === undefined) continue
    yield [pieces.join(''), ...others]
    pieces = [last]
    length = last.length
  }
  if (length > 0) yield [pieces.join('')]
}

/** Throws DumpError for a line that is no JSON. */
export function readLine(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text))
  } catch (cause) {
    throw new DumpError('The backup has an invalid line.', { cause })
  }
}

/** Node names the path only if a file cannot be opened, and not if it cannot be read or written. */
export const ofFile = (error: NodeJS.ErrnoException, path: string): unknown => Object.assign(error, { path })

/** The error of a file that cannot be read. Those of zlib mean that it is not a backup or is damaged. */
export function unreadable(error: NodeJS.ErrnoException, file: string): unknown {
  if (error.syscall === 'read')
    return new DumpError(machineError(ofFile(error, file)) as string, { cause: error })
  if (!error.code?.startsWith('Z_')) return error
  return new DumpError(`This is not a Patchbay backup, or it is damaged: ${error.message}.`, {
    cause: error,
  })
}
