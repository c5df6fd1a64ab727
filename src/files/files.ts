import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { Disk } from 'flydrive'
import { FSDriver } from 'flydrive/drivers/fs'
import { Refusal } from '../errors.ts'

/**
 * Bytes that are too many for a row: each blob is a file below the data folder, written once and never changed.
 * Keys are made by the server (`12/<uuid>/0-<random>`), never of what a caller says. What the database knows of decides
 * which of them there are: a blob is written before its row and deleted after it, so a crash leaves at most a blob that
 * nobody names.
 */
export interface FileStore {
  /** Writes a blob; when this answers, the bytes outlast the loss of power. More than `most` are refused, and none kept. */
  put(key: string, source: Readable, most: number): Promise<{ size: number; sha256: Buffer }>
  /** Reads blobs one after the other as one stream, or a part of it. Rejects when there is nothing to begin with. */
  open(blobs: readonly StoredBlob[], range?: ByteRange): Promise<Readable>
  /** The whole of one blob, whatever its size; null when it is not there. */
  openWhole(key: string): Promise<Readable | null>
  delete(keys: readonly string[]): Promise<void>
  /** Deletes every blob whose key begins with this folder. */
  deleteFolder(folder: string): Promise<void>
  isEmpty(): Promise<boolean>
  /** The keys of all blobs, for a backup; the folders are read one at a time. */
  keys(): AsyncGenerator<string>
}

export interface StoredBlob {
  key: string
  size: number
}

/** Bytes from `start` up to and without `end`. */
export interface ByteRange {
  start: number
  end: number
}

/** The store in this folder, which is made with the first blob. Several processes may share it. */
export function openFileStore(folder: string): FileStore {
  const disk = new Disk(new FSDriver({ location: folder, visibility: 'private' }))
  return {
    async put(key, source, most) {
      const hash = createHash('sha256')
      let size = 0
      const measured = async function* () {
        for await (const chunk of source) {
          size += chunk.length
          if (size > most) throw new Refusal('too_large', `There are more than ${most} bytes.`)
          hash.update(chunk)
          yield chunk
        }
      }
      try {
        // Others on this machine have no business here.
        await mkdir(folder, { recursive: true, mode: 0o700 })
        await disk.putStream(key, Readable.from(measured()))
        await flush(folder, key)
      } catch (error) {
        await disk.delete(key)
        // The library wraps what its source threw.
        const { cause } = error as Error
        throw cause instanceof Refusal ? cause : error
      }
      return { size, sha256: hash.digest() }
    },

    async open(blobs, range) {
      const stream = Readable.from(read(disk, blobs, range ?? { start: 0, end: totalOf(blobs) }))
      // A blob that is not there is found before the answer has begun.
      await once(stream, 'readable')
      return stream
    },

    async openWhole(key) {
      if (!(await disk.exists(key))) return null
      const stream = await disk.getStream(key)
      await once(stream, 'readable')
      return stream
    },

    async delete(keys) {
      for (const key of keys) await disk.delete(key)
    },
    deleteFolder: (name) => disk.deleteAll(name),
    isEmpty: async () => (await walk(disk, '/').next()).done === true,
    keys: () => walk(disk, '/'),
  }
}

export const totalOf = (blobs: readonly StoredBlob[]): number =>
  blobs.reduce((sum, { size }) => sum + size, 0)

/** The library leaves the bytes to the system: they are safe when they, and every folder that leads to them, are flushed. */
async function flush(folder: string, key: string): Promise<void> {
  const last = dirname(folder)
  for (let path = join(folder, key); ; path = dirname(path)) {
    const handle = await open(path, 'r')
    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
    if (path === last) return
  }
}

async function* read(
  disk: Disk,
  blobs: readonly StoredBlob[],
  { start, end }: ByteRange,
): AsyncGenerator<Buffer> {
  let at = 0
  for (const { key, size } of blobs) {
    const range = { start: Math.max(start - at, 0), end: Math.min(end - at, size) }
    if (range.start < range.end) yield* slice(key, await disk.getStream(key), range)
    at += size
  }
}

/** The library reads blobs whole, and they are small: what lies before the range is passed over. */
async function* slice(key: string, source: Readable, { start, end }: ByteRange): AsyncGenerator<Buffer> {
  let at = 0
  for await (const chunk of source as AsyncIterable<Buffer>) {
    const wanted = chunk.subarray(Math.max(start - at, 0), Math.max(end - at, 0))
    if (wanted.length > 0) yield wanted
    at += chunk.length
    if (at >= end) return
  }
  throw new Error(`the blob ${key} is shorter than it was`)
}

async function* walk(disk: Disk, folder: string): AsyncGenerator<string> {
  const { objects } = await disk.listAll(folder)
  for (const object of objects) {
    if (object.isFile) yield object.key
    else yield* walk(disk, object.prefix)
  }
}
