import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, createWriteStream, statSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import type { Context } from '../context.ts'
import type { Tx } from '../db/database.ts'
import { continueIds, countRows, lastIds, liftTimeLimits } from '../db/dialect.ts'
import { takeSchema } from '../db/distribution/restored-schema.ts'
import { mayBeCommitted } from '../db/failures.ts'
import { dropIndexes } from '../db/indexes/late-indexes.ts'
import { migrateLocked, schemaState, storedTables } from '../db/migrate.ts'
import type { Migration } from '../db/migrations/migration.ts'
import { migrations } from '../db/migrations/migrations.ts'
import { clearSettings } from '../db/settings.ts'
import { type FilePartRow, type Tables, tables } from '../db/tables.ts'
import { OperatorError } from '../errors.ts'
import { flushFolder } from '../files/durable-file.ts'
import { type FileStore, LARGEST_BLOB } from '../files/files.ts'
import { BlobCheck, type DamagedBlob } from './dump-blobs.ts'
import { FORMAT, migrationsOf } from './dump-header.ts'
import { DumpError, linesOf, ofFile, readLine, unreadable } from './dump-lines.ts'
import { type DumpedRow, line, RestoredRows, rowLines } from './dump-rows.ts'

/**
 * A backup is one gzip file of JSON lines: a header with the last id of each sequence, then the name and the rows of every
 * table, then the key and the bytes of every blob, then an end with the number of rows. It does not depend on the kind of
 * database, so a backup of one kind can be restored into the other. The database can have an older schema: the header names
 * its migrations, and a restore begins with the tables that they create. All rows are read in one snapshot while the server
 * keeps writing. A blob is older than its row, so the blobs of the snapshot exist. Secrets are encrypted, and the master key
 * is not included.
 */
/** Restored rows between two reports. */
const REPORTED = 1_000

type Report = (table: string, rows: number) => void

/** The data of a backup: the database and the files. */
type Data = Pick<Context, 'db' | 'files'>

/** The number of rows and blobs written or read. */
export interface Dumped {
  rows: number
  blobs: number
}

/** A backup can be complete although files of the server are damaged (S52). */
interface Written extends Dumped {
  damaged: DamagedBlob[]
}

/**
 * Writes to a temporary file first, so that a file with the final name is always complete, also after a power loss and
 * beside another backup with this name.
 */
export async function writeDump(
  { db, files }: Data,
  file: string,
  now: number,
  report: Report,
): Promise<Written> {
  // Renaming would find out, but only after the work.
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory())
    throw new OperatorError(`${file}: it is a folder.`)
  const done = { rows: 0, blobs: 0 }
  const check = new BlobCheck()
  let damaged: DamagedBlob[]
  let hasFiles = false
  const tableLines = async function* (tx: Tx) {
    const [{ applied }, stored] = [await schemaState(tx), await storedTables(tx)]
    yield line({ patchbay_backup: FORMAT, migrations: applied, at: now, ids: await lastIds(tx) })
    for (const table of tables.filter((name) => stored.has(name))) {
      let rows = 0
      yield line({ table })
      yield* rowLines(tx, table, (some) => {
        rows += some.length
        if (table === 'file_parts') for (const part of some as unknown as FilePartRow[]) check.state(part)
      })
      done.rows += rows
      if (table === 'file_parts') hasFiles = rows > 0
      report(table, rows)
    }
  }
  const otherLines = async function* () {
    for await (const key of files.keys()) {
      const bytes = await files.openWhole(key)
      // Deleted since the snapshot.
      if (!bytes) continue
      yield line({ blob: key })
      for await (const chunk of check.read(key, bytes)) yield line({ bytes: chunk.toString('base64') })
      done.blobs++
    }
    if (hasFiles && done.blobs === 0) throw new OperatorError(NO_FILES)
    yield line({ end: true, ...done })
  }
  const part = `${file}.${randomBytes(6).toString('hex')}.part`
  const gzip = createGzip()
  const written = pipeline(gzip, createWriteStream(part, { mode: 0o600, flags: 'wx', flush: true }))
  const failed = new AbortController()
  written.catch((error) => failed.abort(ofFile(error, file)))
  const append = async (lines: AsyncGenerator<string>) => {
    for await (const text of lines)
      if (!gzip.write(text)) await once(gzip, 'drain', { signal: failed.signal })
  }
  try {
    await db
      .transaction()
      .setAccessMode('read only')
      .setIsolationLevel('repeatable read')
      .execute(async (tx) => {
        await liftTimeLimits(tx)
        await append(tableLines(tx))
      })
    // There can be many blobs; the snapshot is not kept open for them.
    await append(otherLines())
    damaged = await check.damaged(db)
    gzip.end()
    await written
    await rename(part, file).catch((error) => Promise.reject(ofFile(error, file)))
    flushFolder(dirname(file))
  } catch (failure) {
    const error = failed.signal.aborted ? failed.signal.reason : failure
    gzip.destroy()
    await written.catch(() => {})
    await rm(part, { force: true })
    throw error
  }
  return { ...done, damaged }
}

/** The operator's settings are not those of the server (S52). */
const NO_FILES =
  'The database has files, but the folder or bucket with their contents is empty. Set DATA_DIR or FILES_URL to that of your server.'

/** A text such as `12 rows and 3 blobs`; blobs are contents of files. */
export const countOf = ({ rows, blobs }: Dumped): string =>
  blobs === 0 ? `${rows} rows` : `${rows} rows and ${blobs} blobs`

/**
 * Restores a backup of this version or an earlier one into an empty database, completely or not at all, and migrates it to
 * this version. `accept` can reject the restored data, which still has the schema of the backup.
 */
export async function readDump(
  { db, files }: Data,
  file: string,
  now: number,
  report: Report,
  accept: (tx: Tx) => Promise<void>,
): Promise<Dumped> {
  let hasBegun = false
  const work = async (tx: Tx) => {
    await liftTimeLimits(tx)
    const into = new Restoring(tx, files, now, report)
    try {
      await readInto(into, file)
    } finally {
      hasBegun = into.hasBegun
    }
    await accept(tx)
    await into.complete()
    return into.done
  }
  try {
    return await db.transaction().execute(work)
  } catch (error) {
    // Only the files of this restore, because another one at the same time can have filled the storage, which was empty.
    if (hasBegun && !mayBeCommitted(error)) await files.deleteFolder('/')
    throw error
  }
}

async function readInto(into: Restoring, file: string): Promise<void> {
  // With a pipeline, any error ends all parts.
  await pipeline(createReadStream(file), createGunzip(), async (bytes) => {
    // A promise for each row would cost more than the row.
    for await (const lines of linesOf(bytes))
      for (const text of lines) {
        const writing = into.take(readLine(text))
        if (writing) await writing
      }
    into.requireEnd()
  }).catch(async (error) => {
    await into.abandon()
    throw unreadable(error, file)
  })
}

/** Whether this is the key of a blob: names between slashes. */
const isKey = (key: string): boolean =>
  key.split('/').every((name) => /^[\w.-]+$/.test(name) && name !== '.' && name !== '..')

class Restoring {
  readonly #tx: Tx
  readonly #files: FileStore
  readonly #now: number
  readonly #report: Report
  #table = ''
  #rows: RestoredRows | null = null
  #total = 0
  #blobs = 0
  /** The blob that is being read, and the promise of its storage. */
  #blob: { bytes: PassThrough; stored: Promise<unknown> } | null = null
  /** The migrations of the backup; null before its header. */
  #migrations: readonly Migration[] | null = null
  #buildIndexes = async () => {}
  #ended = false
  /** The last ids of the sequences. An earlier release of this version has not written them. */
  #ids: Record<string, unknown> = {}

  constructor(tx: Tx, files: FileStore, now: number, report: Report) {
    this.#tx = tx
    this.#files = files
    this.#now = now
    this.#report = report
  }

  /** Undefined if there is nothing to wait for. */
  take(value: Record<string, unknown>): Promise<void> | undefined {
    if (!this.#migrations) return this.#begin(value)
    if (this.#ended) throw new DumpError('The backup continues after its end.')
    if (Array.isArray(value.row) && this.#rows) return this.#add(this.#rows, value.row)
    if (typeof value.table === 'string') return this.#next(value.table)
    if (typeof value.blob === 'string') return this.#open(value.blob)
    if (typeof value.bytes === 'string') return this.#write(value.bytes)
    if (value.end === true) return this.#end(value)
    throw new DumpError('The backup has an invalid line.')
  }

  /** Whether the database was empty, and is locked for this restore. Nothing is stored before. */
  get hasBegun(): boolean {
    return this.#migrations !== null
  }

  get done(): Dumped {
    return { rows: this.#total, blobs: this.#blobs }
  }

  /** Builds the indexes, continues the sequences, and migrates the database to this version. */
  async complete(): Promise<void> {
    const own = this.#migrations ?? []
    await this.#buildIndexes()
    // After all that can fail in a database of this version, because PostgreSQL does not roll back its sequences.
    for (const table of own.flatMap(({ counted }) => counted))
      await continueIds(this.#tx, table, this.#assignedOf(table))
    // Migrations read what they change with the plans of a database in use.
    await countRows(this.#tx)
    if (own.length === migrations.length) return
    await migrateLocked(this.#tx, this.#now, migrations, 'now')
    await countRows(this.#tx)
  }

  requireEnd(): void {
    if (!this.#ended) throw new DumpError('The backup is incomplete.')
  }

  /** Aborts pending writes. */
  async abandon(): Promise<void> {
    // If the storage has not begun to read, nobody else handles the error.
    this.#blob?.bytes.on('error', () => {}).destroy(new Error('abandoned'))
    await this.#blob?.stored.catch(() => {})
  }

  async #begin(head: Record<string, unknown>): Promise<void> {
    const own = migrationsOf(head)
    await takeSchema(this.#tx, own, this.#now)
    await clearSettings(this.#tx)
    this.#buildIndexes = await dropIndexes(this.#tx)
    this.#ids = Object(head.ids)
    this.#migrations = own
  }

  /** The last id that the sequence of a table had assigned; 0 if that is unknown. */
  #assignedOf(table: string): number {
    const last = this.#ids[table]
    return Number.isSafeInteger(last) ? (last as number) : 0
  }

  async #next(table: string): Promise<void> {
    await this.#flush()
    if (!tables.includes(table as never)) throw new DumpError(`The backup has an unknown table: ${table}`)
    this.#table = table
    this.#rows = new RestoredRows(this.#tx, table as keyof Tables)
  }

  #add(rows: RestoredRows, row: DumpedRow): Promise<void> | undefined {
    this.#total++
    if (this.#total % REPORTED === 0) this.#report(this.#table, this.#total)
    return this.#written(() => rows.add(row))
  }

  async #open(key: string): Promise<void> {
    if (!isKey(key)) throw new DumpError('The backup has an invalid line.')
    await this.#flush()
    await this.#close()
    const bytes = new PassThrough()
    const stored = this.#files.put(key, bytes, LARGEST_BLOB)
    // Handled when it is awaited; until then, it is not an unhandled rejection.
    stored.catch(() => {})
    this.#blob = { bytes, stored }
    this.#blobs++
  }

  async #write(base64: string): Promise<void> {
    const content = Buffer.from(base64, 'base64')
    // Characters that are not of base64 are skipped.
    if (!this.#blob || content.length !== Buffer.byteLength(base64, 'base64'))
      throw new DumpError('The backup has an invalid line.')
    const { bytes, stored } = this.#blob
    if (bytes.write(content)) return
    const { promise: drained, resolve } = Promise.withResolvers<void>()
    bytes.once('drain', resolve)
    // A failed storage stops reading.
    await Promise.race([drained, stored])
  }

  async #close(): Promise<void> {
    this.#blob?.bytes.end()
    await this.#blob?.stored
    this.#blob = null
  }

  /** The first versions had no files, and counted none. */
  async #end({ rows, blobs = 0 }: Record<string, unknown>): Promise<void> {
    await this.#flush()
    await this.#close()
    if (rows !== this.#total) throw new DumpError('The backup has fewer or more rows than it states.')
    if (blobs !== this.#blobs) throw new DumpError('The backup has fewer or more files than it states.')
    this.#ended = true
  }

  async #flush(): Promise<void> {
    const rows = this.#rows
    if (!rows) return
    await this.#written(() => rows.flush())
    this.#report(this.#table, this.#total)
  }

  #written(write: () => Promise<void> | undefined): Promise<void> | undefined {
    const rejected = (cause: unknown): never => {
      const { message } = cause as Error
      throw new DumpError(`The database rejects the rows of ${this.#table}: ${message}`, { cause })
    }
    try {
      return write()?.catch(rejected)
    } catch (cause) {
      return rejected(cause)
    }
  }
}
