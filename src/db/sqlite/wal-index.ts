import { closeSync, openSync, readSync, statSync } from 'node:fs'

/** The place of `iChange` in the header of the WAL index, in native byte order (https://sqlite.org/walformat.html, 2.1). */
const COUNTER_AT = 8
/** The places of `mxFrame`, the pages in the log, and of `nBackfill`, those of them that are in the file already. */
const WRITTEN_AT = 16
const COPIED_AT = 96

/**
 * The shared-memory files of this process by inode, each opened once. Closing any descriptor of a file ends all locks that the
 * process has on it (https://sqlite.org/howtocorrupt.html, 2.2). Another process would then take itself for the first one, and
 * truncate the file, which kills a process that has mapped it.
 */
const opened = new Map<string, { file: number; users: number }>()

/**
 * The number of commits to an embedded database by all processes, modulo 2^32. Reading it from the shared-memory file
 * takes a microsecond; `PRAGMA data_version` locks the file and takes as long as a query.
 */
export class CommitCounter {
  readonly #inode: string
  readonly #file: number
  readonly #bytes = Buffer.alloc(4)
  readonly #view = new Uint32Array(this.#bytes.buffer, this.#bytes.byteOffset, 1)

  /** `file` is a database in WAL mode, of which this process has an open handle that has read it. */
  constructor(file: string) {
    const path = `${file}-shm`
    const { dev, ino } = statSync(path, { bigint: true })
    this.#inode = `${dev} ${ino}`
    const known = opened.get(this.#inode) ?? { file: openSync(path, 'r'), users: 0 }
    known.users++
    opened.set(this.#inode, known)
    this.#file = known.file
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

  /** Called after the handles of the database were closed. */
  close(): void {
    const known = opened.get(this.#inode)
    if (!known || --known.users > 0) return
    opened.delete(this.#inode)
    closeSync(this.#file)
  }
}
