import { once } from 'node:events'
import { Readable } from 'node:stream'
import { type ByteRange, type StoredBlob, totalOf } from './files.ts'

/** Opens one blob, from its beginning. Whether it is there may show with its first bytes only. */
export type OpenBlob = (key: string) => Promise<AsyncIterable<Buffer> | Iterable<Buffer>>

/** Reads blobs as one stream, or a range of it, each when its turn has come. */
export async function readBlobs(
  openBlob: OpenBlob,
  blobs: readonly StoredBlob[],
  range: ByteRange = { start: 0, end: totalOf(blobs) },
): Promise<Readable> {
  const stream = Readable.from(read(openBlob, blobs, range))
  // A blob that is not there is found before the answer has begun.
  await once(stream, 'readable')
  return stream
}

async function* read(
  openBlob: OpenBlob,
  blobs: readonly StoredBlob[],
  { start, end }: ByteRange,
): AsyncGenerator<Buffer> {
  let at = 0
  for (const { key, size } of blobs) {
    const range = { start: Math.max(start - at, 0), end: Math.min(end - at, size) }
    if (range.start < range.end) yield* slice(key, await openBlob(key), range)
    at += size
  }
}

/** The library reads blobs whole, and they are small: what lies before the range is passed over. */
async function* slice(
  key: string,
  source: Awaited<ReturnType<OpenBlob>>,
  { start, end }: ByteRange,
): AsyncGenerator<Buffer> {
  let at = 0
  for await (const chunk of source) {
    const wanted = chunk.subarray(Math.max(start - at, 0), Math.max(end - at, 0))
    if (wanted.length > 0) yield wanted
    at += chunk.length
    if (at >= end) return
  }
  throw new Error(`the blob ${key} is shorter than it was`)
}
