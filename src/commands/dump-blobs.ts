import { createHash } from 'node:crypto'
import type { Db } from '../db/database.ts'
import type { FilePartRow } from '../db/tables.ts'
import { storedKeys } from '../drive/drive.ts'

/** A part of a file whose bytes are not those that were uploaded. */
export interface DamagedBlob {
  key: string
  /** The bytes that the row states. */
  size: number
  /** The bytes that are stored; null if the blob is missing. */
  found: number | null
}

type Stated = Pick<FilePartRow, 'account_id' | 'version_uuid' | 'size'> & { sha256: string }

/** Compares the blobs of a backup with the rows of its snapshot, which state their sizes and hashes. */
export class BlobCheck {
  /** By key, without those that were read. Short texts, because a server can have a million parts. */
  readonly #stated = new Map<string, Stated>()
  readonly #damaged: DamagedBlob[] = []

  state({ key, account_id, version_uuid, size, sha256 }: FilePartRow): void {
    this.#stated.set(key, { account_id, version_uuid, size, sha256: sha256.toString('latin1') })
  }

  /** Passes the bytes of a blob through. A blob without a row, such as a preview, is not compared. */
  async *read(key: string, bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    const stated = this.#stated.get(key)
    this.#stated.delete(key)
    const hash = createHash('sha256')
    let found = 0
    for await (const chunk of bytes) {
      if (stated) hash.update(chunk)
      found += chunk.length
      yield chunk
    }
    if (!stated) return
    const { size, sha256 } = stated
    if (found !== size || hash.digest('latin1') !== sha256) this.#damaged.push({ key, size, found })
  }

  /** The damaged blobs, with those that were not read although their rows are still there. */
  async damaged(db: Db): Promise<DamagedBlob[]> {
    const present = await storedKeys(db, [...this.#stated.values()])
    const missing = [...this.#stated].filter(([key]) => present.has(key))
    return [...this.#damaged, ...missing.map(([key, { size }]) => ({ key, size, found: null }))]
  }
}

/** The most that are listed. */
const LISTED = 20

/** Tells the operator of damaged blobs; an empty text if there are none. */
export function reportOf(damaged: readonly DamagedBlob[]): string {
  if (damaged.length === 0) return ''
  const lines = damaged.slice(0, LISTED).map(({ key, size, found }) => {
    if (found === null) return `  ${key} is missing\n`
    return found === size ? `  ${key} has other bytes\n` : `  ${key} has ${found} of ${size} bytes\n`
  })
  return `Parts of files are damaged on the server, and the backup has them as they are (${damaged.length}):\n${lines.join('')}`
}
