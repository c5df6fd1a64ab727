import type { Readable } from 'node:stream'
import { LARGEST_BLOB } from '../files/files.ts'

/** Characters. The longest line of a backup is a blob of a bucket in base64. */
const LONGEST_LINE = 4 * LARGEST_BLOB

/** A file that is not a backup, is incomplete, or has another version. */
export class DumpError extends Error {
  override name = 'DumpError'
}

/** The lines of each chunk of a backup. The pieces of a long line are joined once. Throws DumpError above LONGEST_LINE. */
export async function* linesOf(bytes: Readable): AsyncGenerator<string[]> {
  let pieces: string[] = []
  let length = 0
  for await (const text of bytes.setEncoding('utf8')) {
    const [first = '', ...others] = (text as string).split('\n')
    pieces.push(first)
    length += first.length
    if (length > LONGEST_LINE)
      throw new DumpError(`The backup has a line of more than ${LONGEST_LINE} characters.`)
    const last = others.pop()
    if (last === undefined) continue
    yield [pieces.join(''), ...others]
    pieces = [last]
    length = last.length
  }
  if (length > 0) yield [pieces.join('')]
}
