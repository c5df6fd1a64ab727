import { once } from 'node:events'
import { Readable } from 'node:stream'
import { type ByteRange, type StoredBlob, totalOf } from './files.ts'

/** Opens one blob. A missing blob can be detected as late as its first bytes. */
export type OpenBlob = (key: string) => Promise<AsyncIterable<Buffer> | Iterable<Buffer>>

/** Reads blobs one after the other as one stream, or a range of it. */
export async function readBlobs(
  openBlob: OpenBlob,
  blobs: readonly StoredBlob[],
  range: ByteRange = { start: 0, end: totalOf(blobs) },
): Promise<Readable> {
  const stream = Readable.from(read(openBlob, blobs, range))
  // Detect a missing blob before the answer begins.
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

/** The library only reads whole blobs. They are small, so bytes before the range are skipped. */
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
  throw new Error(`the blob ${key} is shorter than its recorded size`)
}
