import Sqlite from 'better-sqlite3'
import type { CompiledQuery, QueryResult } from 'kysely'
import { isContention } from '../failures.ts'
import { isCached } from '../prepared.ts'
import type { RowSetQuery } from '../row-sets.ts'
import type { QueryCache } from './query-cache.ts'

type Use = 'writes' | 'reads' | 'reads once'

/**
 * The memory for pages, in KiB; it grows with what is used. The system caches the file too, but a look-up per row in
 * pages that are not in this memory takes twice as long. Writes go to many places in many indexes, and a page that is
 * evicted is written twice.
 */
const cacheKib: Record<Use, number> = { writes: 65_536, reads: 16_384, 'reads once': 8_192 }

/** An open handle of the file, with its prepared statements. */
export class Handle {
  readonly file: string
  /** Why the database ended a transaction by itself. */
  failure: unknown
  /** The results of prepared queries, on the writing handle. */
  cache: QueryCache | undefined
  /** The handle that reads instead of this one, while it can. */
  instead: Handle | undefined
  readonly #db: Sqlite.Database
  readonly #isWriter: boolean
  /** Whether the statements of an event share a snapshot. */
  readonly #isShared: boolean
  #hasSnapshot = false
  readonly #statements = new Map<string, Sqlite.Statement>()

  constructor(file: string, use: Use, synchronous = 'FULL') {
    this.file = file
    this.#isWriter = use === 'writes'
    this.#isShared = use === 'reads'
    this.#db = new Sqlite(file, { readonly: !this.#isWriter, timeout: 5000 })
    if (this.#isWriter) {
      // Before anything is written to a new file: free pages can be given back (S25). In a file with data this would have no
      // effect, and would wait for other writers.
      if (this.#db.pragma('page_count', { simple: true }) === 0) this.#db.pragma('auto_vacuum = INCREMENTAL')
      this.#db.pragma('journal_mode = WAL')
      this.#db.pragma(`synchronous = ${synchronous}`)
      this.#db.pragma('foreign_keys = ON')
      // In pages, 64 MiB: a checkpoint writes a page once, however often it changed before.
      this.#db.pragma(`wal_autocheckpoint = ${synchronous === 'OFF' ? 1_024 : 16_384}`)
      this.#db.pragma('journal_size_limit = 67108864')
      // Waiting in SQLite would block the event loop.
      this.#db.pragma('busy_timeout = 0')
    }
    this.#db.pragma('trusted_schema = OFF')
    this.#db.pragma(`cache_size = ${-cacheKib[use]}`)
  }

  /** Keeps what a rollback to a savepoint needs in memory instead of a temporary file. */
  journalInMemory(): void {
    this.#db.pragma('temp_store = memory')
  }

  /** Whether a transaction is open, apart from a shared snapshot. */
  get inTransaction(): boolean {
    return this.#db.inTransaction && !this.#hasSnapshot
  }

  /** Reads the header, which opens the write-ahead log. */
  readHeader(): void {
    this.#db.pragma('user_version')
  }

  exec(sql: string): void {
    this.#statement(sql).run()
  }

  run<R>(query: Pick<CompiledQuery, 'sql' | 'parameters'>): QueryResult<R> {
    const { sql, parameters } = query
    if (this.cache && isCached(query))
      return { rows: this.cache.written(sql, parameters, () => this.#run(sql, parameters).rows) as R[] }
    const rows = this.instead?.committed<R>(sql, parameters)
    return rows ? { rows } : this.#run(sql, parameters)
  }

  /**
   * The rows of a statement that only reads. Undefined while a transaction is open, which the statement must not see, and
   * if another process holds a lock.
   */
  committed<R>(sql: string, parameters: readonly unknown[]): R[] | undefined {
    if (this.inTransaction || sql.startsWith('pragma ')) return undefined
    const statement = this.#statement(sql)
    if (!statement.reader || !statement.readonly) return undefined
    this.#shareSnapshot()
    try {
      return statement.all(...parameters) as R[]
    } catch (error) {
      if (isContention(error)) return undefined
      throw error
    }
  }

  #run<R>(sql: string, parameters: readonly unknown[]): QueryResult<R> {
    // A pragma without columns does one step of its work for each row, so it has to be read to its end.
    if (sql.startsWith('pragma ')) {
      return { rows: this.#watched(() => this.#db.pragma(sql.slice('pragma '.length))) as R[] }
    }
    const statement = this.#statement(sql)
    if (this.#isShared && statement.reader) this.#shareSnapshot()
    return this.#watched(() => {
      if (statement.reader) {
        const rows = statement.all(...parameters) as R[]
        if (!statement.readonly) this.cache?.noteWrite(sql, rows.length)
        return { rows }
      }
      const { changes } = statement.run(...parameters)
      if (!statement.readonly) this.cache?.noteWrite(sql, changes)
      // The savepoints of units of work are statements.
      else if (/^rollback/i.test(sql)) this.cache?.noteRollback()
      return { rows: [], numAffectedRows: BigInt(changes) }
    })
  }

  /**
   * Takes one snapshot for all statements of an event of the event loop, such as the arrival of a request: the locks of a
   * snapshot cost more than a look-up. A commit of another process is concurrent to all that happens before the next event
   * (S11).
   */
  #shareSnapshot(): void {
    if (this.#db.inTransaction) return
    this.exec('BEGIN')
    this.#hasSnapshot = true
    process.nextTick(this.endSnapshot)
  }

  /** Ends the shared snapshot, if there is one; the next statement takes a new one. */
  readonly endSnapshot = (): void => {
    if (!this.#hasSnapshot) return
    this.#hasSnapshot = false
    if (this.#db.open && this.#db.inTransaction) this.exec('COMMIT')
  }

  /** Runs a statement for each row of a set from the one at `from`, until `pauses`. Returns the place of the next row. */
  runRows({ sql, rowSet }: RowSetQuery, from: number, pauses: () => boolean): number {
    const statement = this.#statement(sql)
    return this.#watched(() => {
      let next = from
      let changes = 0
      try {
        while (next < rowSet.length) {
          changes += statement.run(...(rowSet[next++] as unknown[])).changes
          if (pauses()) break
        }
      } finally {
        this.cache?.noteWrite(sql, changes)
      }
      return next
    })
  }

  /** A failed statement can end the transaction; a later one would then be committed by itself. */
  #watched<R>(run: () => R): R {
    if (this.#isWriter && !this.inTransaction) throw this.failure ?? new Error('there is no transaction')
    try {
      return run()
    } catch (error) {
      if (!this.inTransaction) this.failure = error
      throw error
    }
  }

  iterate<R>({ sql, parameters }: CompiledQuery): IterableIterator<R> {
    return this.#db.prepare(sql).iterate(...parameters) as IterableIterator<R>
  }

  close(): void {
    this.#statements.clear()
    this.#db.close()
  }

  #statement(sql: string): Sqlite.Statement {
    let statement = this.#statements.get(sql)
    if (!statement) {
      statement = this.#db.prepare(sql)
      // Batches of every length have their own statements; the oldest are dropped, so that the map stays small.
      if (this.#statements.size >= 500)
        this.#statements.delete(this.#statements.keys().next().value as string)
      this.#statements.set(sql, statement)
    }
    return statement
  }
}
