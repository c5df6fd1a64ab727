import type { Readable } from 'node:stream'
import type { FilePlace, S3Keys } from '../config.ts'
import { openDiskStore } from './disk-store.ts'

/**
 * Contents that are too large for a row. Each blob is a file below the data folder or an object in a bucket. It is
 * written once and never changed. The server generates the keys (`12/<uuid>/0-<random>`), without input from callers. A
 * blob exists only if the database refers to it. It is written before its row and deleted after it, so a crash leaves
 * at most an unreferenced blob.
 */
export interface FileStore {
  /**
   * Writes a blob. When the promise resolves, the bytes survive a power loss. Rejects, and stores nothing, above `most`
   * bytes.
   */
  put(key: string, source: Readable, most: number): Promise<Measured>
  /** Reads consecutive blobs as one stream, or a range of it. Rejects with ContentMissing if the first blob is missing. */
  open(blobs: readonly StoredBlob[], range?: ByteRange): Promise<Readable>
  /** One whole blob of any size; null if it is missing. */
  openWhole(key: string): Promise<Readable | null>
  delete(keys: readonly string[]): Promise<void>
  /** Deletes every blob whose key begins with this folder. */
  deleteFolder(folder: string): Promise<void>
  isEmpty(): Promise<boolean>
  /** The keys of all blobs, or of those in a folder. They are listed in pages. */
  keys(folder?: string): AsyncGenerator<string>
}

export interface Measured {
  size: number
  sha256: Buffer
}

export interface StoredBlob {
  key: string
  size: number
}

/** Bytes from `start` to `end`, which is exclusive. */
export interface ByteRange {
  start: number
  end: number
}

/**
 * The maximum size of a blob. Files are split into blobs, because a blob in a bucket is held in memory while it is sent
 * or read.
 */
export const LARGEST_BLOB = 16 * 1024 * 1024

/**
 * Opens the store at this place, which several processes can share. A folder is created with its first blob. A bucket
 * must exist, or ConfigError is thrown, unless the service does not answer: it can recover later.
 */
export async function openFileStore(place: FilePlace, keys: S3Keys): Promise<FileStore> {
  if (place.kind === 'disk') return openDiskStore(place.folder)
  // Most servers have no bucket, and the library is large.
  const { openS3Store } = await import('./s3-store.ts')
  return openS3Store(place, keys)
}

/** The database refers to a blob that the store does not have. */
export class ContentMissing extends Error {
  override name = 'ContentMissing'

  constructor(key: string, cause?: unknown) {
    super(`the blob ${key} is missing`, { cause })
  }
}

export const totalOf = (blobs: readonly StoredBlob[]): number =>
  blobs.reduce((sum, { size }) => sum + size, 0)
