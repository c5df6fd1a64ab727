import { createReadStream, createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import type { Kysely } from 'kysely'
import type { Db, Tx } from '../db/database.ts'
import { continueIds, countRows } from '../db/dialect.ts'
import { migrations } from '../db/migrations/migrations.ts'
import { counted, tables } from '../db/tables.ts'

/**
 * A backup is one gzip file of JSON lines: a head, then for every table its name and its rows, then an end with the
 * number of rows. It holds no word of either database, so what was saved from one can be put into the other.
 * All of it is read in one snapshot, while the server goes on writing. Secrets in it are sealed: the master key is not in it.
 */
const FORMAT = 1
const ROWS_AT_ONCE = 200

type Report = (table: string, rows: number) => void

/** Writes the whole database beside the file's name first, so that a name that is there is a whole backup. */
export async function writeDump(db: Db, file: string, now: number, report: Report): Promise<number> {
  let total = 0
  const lines = async function* (tx: Tx) {
    yield line({ patchbay_backup: FORMAT, migrations: migrations.map(({ name }) => name), at: now })
    for (const table of tables) {
      let rows = 0
      yield line({ table })
      for await (const row of anyTable(tx).selectFrom(table).selectAll().stream(ROWS_AT_ONCE)) {
        yield line(encode(row))
        rows++
      }
      total += rows
      report(table, rows)
    }
    yield line({ end: true, rows: total })
  }
  const part = `${file}.part`
  try {
    await db
      .transaction()
      .setAccessMode('read only')
      .setIsolationLevel('repeatable read')
      .execute((tx) =>
        pipeline(Readable.from(lines(tx)), createGzip(), createWriteStream(part, { mode: 0o600 })),
      )
    await rename(part, file)
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
  return total
}

/** A file that is no backup, is cut short, or is of another version. */
export class DumpError extends Error {
  override name = 'DumpError'
}

/**
 * Puts a backup into an empty database of this version: all of it or nothing. `accept` may refuse what was put in.
 * Answers the number of rows.
 */
export async function readDump(
  db: Db,
  file: string,
  report: Report,
  accept: (tx: Tx) => Promise<void>,
): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const into = new Restoring(tx, report)
    // A pipeline: an error anywhere in it ends all of it.
    await pipeline(createReadStream(file), createGunzip(), async (bytes) => {
      for await (const text of linesOf(bytes)) await into.take(readLine(text))
    }).catch((error) => {
      throw unreadable(error)
    })
    const rows = into.finished()
    await accept(tx)
    // Last: PostgreSQL's sequences are not set back with the transaction.
    for (const table of counted) await continueIds(tx, table)
    await countRows(tx)
    return rows
  })
}

async function* linesOf(bytes: Readable): AsyncGenerator<string> {
  let rest = ''
  for await (const text of bytes.setEncoding('utf8')) {
    const whole = `${rest}${text}`.split('\n')
    rest = whole.pop() ?? ''
    yield* whole
  }
  if (rest !== '') yield rest
}

function readLine(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text))
  } catch (cause) {
    throw new DumpError('The backup holds a line that is not of its format.', { cause })
  }
}

/** zlib's errors say that the file is none of ours, or is not as it was written. */
function unreadable(error: NodeJS.ErrnoException): unknown {
  if (!error.code?.startsWith('Z_')) return error
  return new DumpError(`This is not a backup of Patchbay, or it is damaged: ${error.message}.`, {
    cause: error,
  })
}

class Restoring {
  readonly #tx: Tx
  readonly #report: Report
  #table = ''
  #rows: Record<string, unknown>[] = []
  #total = 0
  #begun = false
  #ended = false

  constructor(tx: Tx, report: Report) {
    this.#tx = tx
    this.#report = report
  }

  async take(value: Record<string, unknown>): Promise<void> {
    if (!this.#begun) this.#begin(value)
    else if (this.#ended) throw new DumpError('The backup goes on after its end.')
    else if (Array.isArray(value.row) && this.#table !== '') await this.#add(value.row)
    else if (typeof value.table === 'string') await this.#next(value.table)
    else if (value.end === true) await this.#end(value.rows)
    else throw new DumpError('The backup holds a line that is not of its format.')
  }

  finished(): number {
    if (!this.#ended) throw new DumpError('The backup is cut short.')
    return this.#total
  }

  #begin(head: Record<string, unknown>): void {
    const known = migrations.map(({ name }) => name)
    if (head.patchbay_backup !== FORMAT) throw new DumpError('This is not a backup of Patchbay.')
    if (JSON.stringify(head.migrations) !== JSON.stringify(known))
      throw new DumpError(`The backup is of another version: ${JSON.stringify(head.migrations)}`)
    this.#begun = true
  }

  async #next(table: string): Promise<void> {
    await this.#flush()
    if (!tables.includes(table as never)) throw new DumpError(`The backup has an unknown table: ${table}`)
    this.#table = table
  }

  async #add(row: unknown[]): Promise<void> {
    this.#rows.push(decode(row))
    this.#total++
    if (this.#rows.length >= ROWS_AT_ONCE) await this.#flush()
  }

  async #end(rows: unknown): Promise<void> {
    await this.#flush()
    if (rows !== this.#total) throw new DumpError('The backup does not hold as many rows as it says.')
    this.#ended = true
  }

  async #flush(): Promise<void> {
    if (this.#rows.length === 0) return
    try {
      await anyTable(this.#tx).insertInto(this.#table).values(this.#rows).execute()
    } catch (cause) {
      const { message } = cause as Error
      throw new DumpError(`The database does not take the rows of ${this.#table}: ${message}`, { cause })
    }
    this.#report(this.#table, this.#total)
    this.#rows = []
  }
}

/** Whether nobody's data was written into the database yet. */
export async function isEmptyDatabase(db: Db): Promise<boolean> {
  for (const table of tables) {
    if (await anyTable(db).selectFrom(table).selectAll().limit(1).executeTakeFirst()) return false
  }
  return true
}

/** Rows of any table, by its name. */
const anyTable = (db: Db) => db as unknown as Kysely<Record<string, Record<string, unknown>>>
const line = (value: unknown) => `${JSON.stringify(value)}\n`

/** A row as pairs of column and value; bytes as base64 in an object of their own. */
function encode(row: Record<string, unknown>): { row: [string, unknown][] } {
  return {
    row: Object.entries(row).map(([name, value]) => [
      name,
      Buffer.isBuffer(value) ? { base64: value.toString('base64') } : value,
    ]),
  }
}

function decode(row: unknown[]): Record<string, unknown> {
  return Object.fromEntries(
    (row as [string, unknown][]).map(([name, value]) => [
      name,
      isBytes(value) ? Buffer.from(value.base64, 'base64') : value,
    ]),
  )
}

const isBytes = (value: unknown): value is { base64: string } =>
  typeof value === 'object' && value !== null && 'base64' in value
