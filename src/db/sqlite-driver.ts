import Sqlite from 'better-sqlite3'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type Kysely,
  type QueryResult,
  SqliteAdapter,
  type SqliteDialect,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type TransactionSettings,
} from 'kysely'
import { createTurns } from '../fair-turns.ts'
import { noteCommit } from './commits.ts'
import { failureOf } from './failures.ts'
import type { PoolState } from './pools.ts'
import { isRowSet, type RowSetQuery } from './row-sets.ts'
import { unitingDriver } from './units.ts'

/**
 * The embedded database, with three properties that Kysely's own driver does not have.
 *
 * Reads and writes have handles of their own. Outside a transaction a statement runs on a read-only handle, so
 * it sees only what is committed, never waits for a writer, and cannot write by accident. A transaction takes the
 * one writing handle; `read only` transactions take a handle of their own and keep one snapshot.
 *
 * Commits are shared. A commit waits for the disk (`synchronous=FULL`), and that wait is what a small write costs.
 * So a transaction that ends does not commit at once: it releases its savepoint and leaves the database's own
 * transaction open until the requests that arrived in the same turn of the event loop have added theirs.
 * Then one COMMIT makes all of them durable, and only then is each of them answered.
 * A transaction that is refused rolls back to its savepoint and takes nobody with it.
 *
 * A commit that fails is not a commit that did not happen: the bytes may be in the file. Nobody can be told either
 * way, so `onCommitFailure` is called, which stops the program and lets recovery decide.
 *
 * It follows that a transaction's function must not wait for anything but the database and its turn: it holds up every
 * other transaction, though no reader. A statement holds up the whole program while it runs. So a
 * transaction that has run for a slice of time gives way before its next statement, and between two rows of a row set
 * (`fair-turns.ts`).
 */
export interface SqliteOptions {
  file: string
  onCommitFailure: (error: unknown) => void
  /** Called when the file is open, at the first statement: from then on it may be read directly. */
  onOpen?: () => void
}

/** Transactions that may share one commit: more gains nothing and makes the first of them wait. */
const GROUP_LIMIT = 256

export function sqliteDialect(driver: GroupingDriver) {
  return {
    createAdapter: () => new SharingAdapter(),
    createDriver: () => unitingDriver(driver),
    createIntrospector: (db: Kysely<unknown>) => new SqliteIntrospector(db),
    createQueryCompiler: () => new StablePlanCompiler(),
  } satisfies Pick<
    SqliteDialect,
    'createAdapter' | 'createDriver' | 'createIntrospector' | 'createQueryCompiler'
  >
}

/** Without this Kysely lends one connection at a time, until its commit is done: then no commit would be shared. */
class SharingAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

/**
 * Writes a parameter as `+?`. With `?` alone SQLite may look at the value when it plans, and must then plan anew at
 * every run, because the next value may be another: ten times the work of a look-up. Behind the plus it plans once.
 * It follows that a partial index is used only where its condition is written out (`sql.lit`).
 */
class StablePlanCompiler extends SqliteQueryCompiler {
  protected override getCurrentParameterPlaceholder(): string {
    return '+?'
  }
}

interface Waiting {
  resolve: () => void
  reject: (error: unknown) => void
}

export class GroupingDriver implements Driver {
  readonly #options: SqliteOptions
  #writer!: Handle
  #reader!: Handle
  /** Transactions that wait for the writing handle, in order. */
  #queue: (() => void)[] = []
  #busy = false
  /** Transactions that have ended well and wait for the shared commit. */
  #group: Waiting[] = []
  #open = false
  #scheduled = false

  constructor(options: SqliteOptions) {
    this.#options = options
  }

  async init(): Promise<void> {
    this.#writer = new Handle(this.#options.file, false)
    this.#reader = new Handle(this.#options.file, true)
    this.#options.onOpen?.()
  }

  /** The writing handle, and the reading one, for which nobody waits. */
  get pool(): PoolState {
    return { open: 2, idle: this.#busy ? 1 : 2, waiting: this.#queue.length }
  }

  /** The rows of a statement that reads, at once: for the hot ones, which would spend most of their time on the way. */
  read(sql: string, parameters: readonly unknown[]): unknown[] {
    return this.#reader.run({ sql, parameters }).rows
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    return new Connection(this.#reader)
  }

  async releaseConnection(): Promise<void> {}

  async beginTransaction(connection: Connection, settings: TransactionSettings): Promise<void> {
    if (settings.accessMode === 'read only') {
      connection.handle = new Handle(this.#options.file, true)
      connection.snapshot = true
      connection.handle.exec('BEGIN')
      connection.nextTurn = createTurns()
      return
    }
    await this.#takeWriter()
    try {
      if (!this.#open) this.#writer.exec('BEGIN IMMEDIATE')
      this.#open = true
      this.#writer.exec('SAVEPOINT one')
    } catch (error) {
      this.#giveWriter()
      throw error
    }
    connection.handle = this.#writer
    connection.nextTurn = createTurns()
  }

  async commitTransaction(connection: Connection): Promise<void> {
    if (connection.snapshot) return this.rollbackTransaction(connection)
    noteCommit()
    this.#writer.exec('RELEASE one')
    connection.handle = this.#reader
    connection.nextTurn = never
    return new Promise((resolve, reject) => {
      this.#group.push({ resolve, reject })
      this.#settle()
    })
  }

  async rollbackTransaction(connection: Connection): Promise<void> {
    if (connection.snapshot) {
      connection.handle.close()
      return
    }
    // Its commit failed, with those of the others in its group.
    if (connection.handle !== this.#writer) return
    if (this.#writer.inTransaction) {
      this.#writer.exec('ROLLBACK TO one')
      this.#writer.exec('RELEASE one')
    } else {
      // A statement that fails hard may end the transaction by itself, and the whole group with it.
      this.#fail(this.#writer.failure ?? new Error('the database ended the transaction'))
    }
    connection.handle = this.#reader
    connection.nextTurn = never
    this.#settle()
  }

  async savepoint(connection: Connection, name: string): Promise<void> {
    connection.handle.exec(`SAVEPOINT "${name}"`)
  }

  async rollbackToSavepoint(connection: Connection, name: string): Promise<void> {
    connection.handle.exec(`ROLLBACK TO "${name}"`)
  }

  async releaseSavepoint(connection: Connection, name: string): Promise<void> {
    connection.handle.exec(`RELEASE "${name}"`)
  }

  async destroy(): Promise<void> {
    this.#flush()
    this.#reader.close()
    this.#writer.close()
  }

  #takeWriter(): Promise<void> | undefined {
    if (!this.#busy) {
      this.#busy = true
      return undefined
    }
    return new Promise((resolve) => this.#queue.push(resolve))
  }

  #giveWriter(): void {
    const next = this.#queue.shift()
    if (next) next()
    else this.#busy = false
  }

  /** After each transaction: the next in line joins the group; when none waits, the group commits at the turn's end. */
  #settle(): void {
    if (this.#group.length >= GROUP_LIMIT) this.#flush()
    this.#giveWriter()
    if (!this.#busy && this.#open && !this.#scheduled) {
      this.#scheduled = true
      setImmediate(() => {
        this.#scheduled = false
        if (this.#busy) return
        this.#flush()
      })
    }
  }

  #flush(): void {
    if (!this.#open) return
    try {
      this.#writer.exec('COMMIT')
    } catch (error) {
      if (isFull(error) && this.#writer.inTransaction) this.#writer.exec('ROLLBACK')
      this.#fail(error)
      return
    }
    this.#open = false
    const done = this.#group
    this.#group = []
    for (const waiting of done) waiting.resolve()
  }

  #fail(error: unknown): void {
    this.#open = false
    const failed = this.#group
    this.#group = []
    for (const waiting of failed) waiting.reject(error)
    if (!isFull(error)) this.#options.onCommitFailure(error)
  }
}

const never = (): Promise<void> | undefined => undefined

/**
 * Whether there was no room. SQLite tells so before a commit is written to its end, so the whole group is undone, and
 * nobody need find out.
 */
const isFull = (error: unknown): boolean => failureOf(error) === 'disk_full'

class Connection implements DatabaseConnection {
  handle: Handle
  snapshot = false
  /** Only a transaction gives way: its statements follow one another without a turn of the event loop in between. */
  nextTurn = never

  constructor(handle: Handle) {
    this.handle = handle
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const overdue = this.nextTurn()
    if (overdue) await overdue
    if (!isRowSet(query)) return this.handle.run<R>(query)
    const runRow = this.handle.rowRunner(query)
    for (const row of query.rowSet) {
      runRow(row)
      const turn = this.nextTurn()
      if (turn) await turn
    }
    return { rows: [], numAffectedRows: BigInt(query.rowSet.length) }
  }

  async *streamQuery<R>(query: CompiledQuery, chunkSize: number): AsyncIterableIterator<QueryResult<R>> {
    // A snapshot is alone on its handle; elsewhere other statements run between two rows, so the stream gets its own.
    const own = this.snapshot ? this.handle : new Handle(this.handle.file, true)
    try {
      let rows: R[] = []
      for (const row of own.iterate<R>(query)) {
        rows.push(row)
        if (rows.length === chunkSize) {
          yield { rows }
          rows = []
        }
      }
      if (rows.length > 0) yield { rows }
    } finally {
      if (own !== this.handle) own.close()
    }
  }
}

/** One open handle of the file, with its statements kept prepared. */
class Handle {
  readonly file: string
  /** Why the database ended a transaction by itself. */
  failure: unknown
  readonly #db: Sqlite.Database
  readonly #isWriter: boolean
  readonly #statements = new Map<string, Sqlite.Statement>()

  constructor(file: string, readonly: boolean) {
    this.file = file
    this.#isWriter = !readonly
    this.#db = new Sqlite(file, { readonly, timeout: 5000 })
    if (!readonly) {
      this.#db.pragma('journal_mode = WAL')
      this.#db.pragma('synchronous = FULL')
      this.#db.pragma('foreign_keys = ON')
      // Pages, 64 MiB: a checkpoint writes a page once, however often it has changed meanwhile.
      this.#db.pragma('wal_autocheckpoint = 16384')
      this.#db.pragma('journal_size_limit = 67108864')
    }
    this.#db.pragma('trusted_schema = OFF')
    // In KiB; the default holds 2 MiB. What is read is kept by the system as well; what is written goes to many places of
    // many indexes, and a page that does not stay is written twice.
    this.#db.pragma(`cache_size = ${readonly ? -8_192 : -65_536}`)
  }

  get inTransaction(): boolean {
    return this.#db.inTransaction
  }

  exec(sql: string): void {
    this.#statement(sql).run()
  }

  run<R>({ sql, parameters }: Pick<CompiledQuery, 'sql' | 'parameters'>): QueryResult<R> {
    const statement = this.#statement(sql)
    return this.#watched(() => {
      if (statement.reader) return { rows: statement.all(...parameters) as R[] }
      return { rows: [], numAffectedRows: BigInt(statement.run(...parameters).changes) }
    })
  }

  /** Runs one prepared statement for a row of a set. */
  rowRunner({ sql }: RowSetQuery): (row: readonly unknown[]) => void {
    const statement = this.#statement(sql)
    return (row) => this.#watched(() => statement.run(row as unknown[]))
  }

  /** A statement that fails may end the transaction; one that came after it would be committed by itself. */
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
      // Batches of every length are statements of their own; the oldest go, so that the map stays small.
      if (this.#statements.size >= 500)
        this.#statements.delete(this.#statements.keys().next().value as string)
      this.#statements.set(sql, statement)
    }
    return statement
  }
}
