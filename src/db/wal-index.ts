import { closeSync, openSync, readSync } from 'node:fs'

/** The place of `iChange` in the header of the WAL index, in native byte order (https://sqlite.org/walformat.html, 2.1). */
const COUNTER_AT = 8

/**
 * The number of commits to an embedded database by all processes, modulo 2^32. Reading it from the shared-memory file
 * takes a microsecond; `PRAGMA data_version` locks the file and takes as long as a query.
 */
export class CommitCounter {
  readonly #file: number
  readonly #bytes = Buffer.alloc(4)
  readonly #view = new Uint32Array(this.#bytes.buffer, this.#bytes.byteOffset, 1)

  /** `file` is a database in WAL mode, of which this process has an open handle that has read it. */
  constructor(file: string) {
    this.#file = openSync(`${file}-shm`, 'r')
  }

  read(): number {
    readSync(this.#file, this.#bytes, 0, 4, COUNTER_AT)
    return this.#view[0] as number
  }

  close(): void {
    closeSync(this.#file)
  }
}
