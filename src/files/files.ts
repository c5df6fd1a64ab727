import type { Readable } from 'node:stream'
import type { FilePlace, S3Keys } from '../config.ts'
import { openDiskStore } from './disk-store.ts'

/**
 * Bytes that are too many for a row: each blob is a file below the data folder, or an object in a bucket, written once
 * and never changed. Keys are made by the server (`12/<uuid>/0-<random>`), never of what a caller says. What the database
 * knows of decides which of them there are: a blob is written before its row and deleted after it, so a crash leaves at
 * most a blob that nobody names.
 */
export interface FileStore {
  /** Writes a blob; when this answers, the bytes outlast the loss of power. More than `most` are refused, and none kept. */
  put(key: string, source: Readable, most: number): Promise<Measured>
  /** Reads blobs one after the other as one stream, or a part of it. Rejects when there is nothing to begin with. */
  open(blobs: readonly StoredBlob[], range?: ByteRange): Promise<Readable>
  /** The whole of one blob, whatever its size; null when it is not there. */
  openWhole(key: string): Promise<Readable | null>
  delete(keys: readonly string[]): Promise<void>
  /** Deletes every blob whose key begins with this folder. */
  deleteFolder(folder: string): Promise<void>
  isEmpty(): Promise<boolean>
  /** The keys of all blobs, for a backup; they are read a part at a time. */
  keys(): AsyncGenerator<string>
}

export interface Measured {
  size: number
  sha256: Buffer
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

/** Blobs are parts of files: a bucket takes, and gives, each of them as a whole, which lies in memory meanwhile. */
export const LARGEST_BLOB = 16 * 1024 * 1024

/**
 * The store at this place, which several processes may share. A folder is made with its first blob; a bucket has to be
 * there, else ConfigError. One that does not answer may do so later.
 */
export async function openFileStore(place: FilePlace, keys: S3Keys): Promise<FileStore> {
  if (place.kind === 'disk') return openDiskStore(place.folder)
  // Most servers have no bucket, and the library is large.
  const { openS3Store } = await import('./s3-store.ts')
  return openS3Store(place, keys)
}

export const totalOf = (blobs: readonly StoredBlob[]): number =>
  blobs.reduce((sum, { size }) => sum + size, 0)
