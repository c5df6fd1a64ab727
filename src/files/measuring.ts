import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { Refusal } from '../errors.ts'
import { LARGEST_BLOB, type Measured } from './files.ts'

/** Counts and hashes a stream, and ends it with Refusal('too_large') at the first byte above the limit. */
export function measure(
  source: Readable,
  most: number,
): { bytes: AsyncGenerator<Buffer>; measured(): Measured } {
  const bound = Math.min(most, LARGEST_BLOB)
  const hash = createHash('sha256')
  let size = 0
  const bytes = async function* () {
    for await (const chunk of source as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > bound) throw new Refusal('too_large', `The content is larger than ${bound} bytes.`)
      hash.update(chunk)
      yield chunk
    }
  }
  return { bytes: bytes(), measured: () => ({ size, sha256: hash.digest() }) }
}
