import { closeSync, openSync, readSync } from 'node:fs'

/** The place of `iChange` in the header of the WAL index, in native byte order (https://sqlite.org/walformat.html, 2.1). */
const COUNTER_AT = 8
/** The places of `mxFrame`, the pages in the log, and of `nBackfill`, those of them that are in the file already. */
const WRITTEN_AT = 16
const COPIED_AT = 96

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
    return this.#numberAt(COUNTER_AT)
  }

  /** The pages of the log that are not in the file yet. */
  waitingPages(): number {
    return this.#numberAt(WRITTEN_AT) - this.#numberAt(COPIED_AT)
  }

  #numberAt(place: number): number {
    readSync(this.#file, this.#bytes, 0, 4, place)
    return this.#view[0] as number
  }

  close(): void {
    closeSync(this.#file)
  }
}
