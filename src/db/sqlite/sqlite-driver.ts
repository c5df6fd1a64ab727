import type { CompiledQuery, DatabaseConnection, Driver, QueryResult, TransactionSettings } from 'kysely'
import { createTurns, heldUp } from '../../fair-turns.ts'
import { noteCommit } from '../commits.ts'
import { failureOf } from '../failures.ts'
import type { PoolState } from '../pools.ts'
import type { PreparedQuery } from '../prepared.ts'
import { isRowSet, type RowSetQuery } from '../row-sets.ts'
import type { PromptConnection } from '../transactions.ts'
import { beginPatiently, noOthers, type WriteLock } from '../write-lock.ts'
import { QueryCache } from './query-cache.ts'
import { Handle } from './sqlite-handle.ts'
import { CommitCounter } from './wal-index.ts'

/**
 * A SQLite driver with three properties that Kysely's driver does not have.
 *
 * Reads never see or wait for a transaction, and cannot write by accident. While no transaction is open, they run on the
 * writing handle: its memory keeps the pages across its own commits, and each commit empties that of the other handles.
 * While one is open, they run on a read-only handle. A `read only` transaction has its own handle and keeps one snapshot.
 *
 * Commits are shared. A commit waits for the disk (`synchronous=FULL`), which is most of the cost of a small write.
 * So a transaction that ends leaves the database transaction open, until the requests that arrived in the same turn of
 * the event loop have added theirs. Then one COMMIT makes all of them durable, and only then are they answered. Each
 * after the first has a savepoint, to which it rolls back without affecting the others if it is refused. The first one
 * needs none, which saves a copy of each page that it changes.
 *
 * A failed commit can still have reached the file. Its outcome is unknown, so `onCommitFailure` is called, which
 * stops the program and leaves the decision to recovery.
 *
 * Several processes of one server take turns (`write-lock.ts`): a process has the lock from `BEGIN` to `COMMIT` of a
 * group.
 *
 * Consequently, a transaction function must wait only for the database and its time slices: it blocks all other
 * transactions, though no readers. A running statement blocks the whole program. Therefore a transaction that has
 * used a time slice yields before its next statement, and between two rows of a row set (`fair-turns.ts`).
 */
export interface SqliteOptions {
  file: string
  onCommitFailure: (error: unknown) => void
  /** `OFF` for data that may be lost with the machine. */
  synchronous?: 'FULL' | 'OFF'
  /** Called when the file is opened, at the first statement; from then on it can be read directly. */
  onOpen?: () => void
  /** Called after a commit, with the number of pages in the log that are not in the file yet. */
  onCommit?: (waiting_pages: number) => void
  /** Called when the file is closed. */
  onClose?: () => void
  /** The order of the processes that write. If undefined, this one is the only one. */
  lock?: WriteLock | undefined
}

/** The most transactions in one commit: more gain nothing and delay the first. */
const GROUP_LIMIT = 256

interface Waiting {
  resolve: () => void
  reject: (error: unknown) => void
}

export class GroupingDriver implements Driver {
  readonly #options: SqliteOptions
  readonly #lock: WriteLock
  #writer!: Handle
  #reader!: Handle
  #commits!: CommitCounter
  #cache!: QueryCache
  /** Transactions that wait for the writing handle, in order. */
  #queue: (() => void)[] = []
  #busy = false
  /** The connection of the transaction that is open now. */
  #current: Connection | undefined
  /** Whether the next transaction begins to keep its journal in memory. */
  #movesJournal = false
  /** Whether the transaction that is open now has a savepoint: others of its group have ended before it. */
  #isLater = false
  /** Completed transactions that wait for the shared commit. */
  #group: Waiting[] = []
  #open = false
  #scheduled = false

  constructor(options: SqliteOptions) {
    this.#options = options
    this.#lock = options.lock ?? noOthers
  }

  async init(): Promise<void> {
    this.#writer = new Handle(this.#options.file, 'writes', this.#options.synchronous)
    this.#writer.readHeader()
    this.#commits = new CommitCounter(this.#options.file)
    this.#cache = new QueryCache(
      () => this.#commits.read(),
      () => {
        this.#writer.endSnapshot()
        this.#reader.endSnapshot()
      },
    )
    this.#writer.cache = this.#cache
    this.#reader = new Handle(this.#options.file, 'reads')
    this.#reader.instead = this.#writer
    heldUp.add(this.#isHeldUp)
    this.#options.onOpen?.()
  }

  readonly #isHeldUp = () => this.#queue.length > 0 || (this.#open && this.#lock.isWanted())

  /** The writing handle, and the reading one, which never has to be waited for. */
  get pool(): PoolState {
    return { open: 2, idle: this.#busy ? 1 : 2, waiting: this.#queue.length }
  }

  /** See `keepJournalInMemory`. */
  keepJournalInMemory(): void {
    this.#movesJournal = true
  }

  /**
   * Runs a read statement synchronously, for hot statements that would spend most of their time in the query
   * pipeline.
   */
  read(query: PreparedQuery): unknown[] {
    const read = () => this.#reader.run(query).rows
    return query.isCached ? this.#cache.committed(query.sql, query.parameters, read) : read()
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    return new Connection(this.#reader)
  }

  async releaseConnection(): Promise<void> {}

  async beginTransaction(connection: Connection, settings: TransactionSettings): Promise<void> {
    if (settings.accessMode === 'read only') {
      connection.handle = new Handle(this.#options.file, 'reads once')
      connection.snapshot = true
      connection.handle.exec('BEGIN')
      connection.nextTurn = createTurns()
      return
    }
    await this.#takeWriter()
    try {
      // A statement that failed can have ended the transaction of the group, so that reads had a snapshot since.
      this.#writer.endSnapshot()
      this.#isLater = this.#group.length > 0
      if (!this.#open) await this.#begin()
      if (this.#isLater) this.#writer.exec('SAVEPOINT one')
    } catch (error) {
      this.#settle()
      throw error
    }
    connection.handle = this.#writer
    connection.nextTurn = createTurns()
    this.#current = connection
  }

  async #begin(): Promise<void> {
    await this.#lock.take()
    try {
      await beginPatiently(() => {
        this.#writer.endSnapshot()
        // SQLite refuses this within a transaction.
        if (this.#movesJournal) this.#writer.journalInMemory()
        this.#movesJournal = false
        this.#writer.exec('BEGIN IMMEDIATE')
      })
      this.#open = true
      this.#cache.begin()
    } catch (error) {
      this.#lock.giveBack()
      throw error
    }
  }

  async commitTransaction(connection: Connection): Promise<void> {
    if (connection.snapshot) return this.rollbackTransaction(connection)
    noteCommit()
    if (this.#isLater) this.#writer.exec('RELEASE one')
    this.#leave(connection)
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
    // The shared commit of its group failed.
    if (connection.handle !== this.#writer) return
    if (this.#writer.inTransaction) this.#rollBackOne()
    // A hard failure can end the whole database transaction, and thus the group.
    else this.#fail(this.#writer.failure ?? new Error('the database ended the transaction'))
    this.#leave(connection)
    this.#settle()
  }

  #rollBackOne(): void {
    if (this.#isLater) {
      this.#writer.exec('ROLLBACK TO one')
      this.#cache.noteRollback()
      this.#writer.exec('RELEASE one')
    } else {
      this.#writer.exec('ROLLBACK')
      this.#cache.forget()
      this.#close()
    }
  }

  /** The transaction of the connection has ended. */
  #leave(connection: Connection): void {
    connection.handle = this.#reader
    connection.nextTurn = never
    this.#current = undefined
  }

  async savepoint(connection: Connection, name: string): Promise<void> {
    connection.handle.exec(`SAVEPOINT "${name}"`)
  }

  async rollbackToSavepoint(connection: Connection, name: string): Promise<void> {
    connection.handle.exec(`ROLLBACK TO "${name}"`)
    this.#cache.noteRollback()
  }

  async releaseSavepoint(connection: Connection, name: string): Promise<void> {
    connection.handle.exec(`RELEASE "${name}"`)
  }

  async destroy(): Promise<void> {
    heldUp.delete(this.#isHeldUp)
    const open = this.#current
    if (open) {
      // The commit of its group must not contain a part of it. Its next statement fails.
      if (this.#writer.inTransaction) this.#rollBackOne()
      this.#leave(open)
    }
    this.#flush()
    this.#reader.close()
    this.#writer.close()
    this.#commits.close()
    this.#options.onClose?.()
    // They fail, because the file is closed.
    for (const begin of this.#queue.splice(0)) begin()
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

  /** After each transaction, the next one joins the group; if none waits, the group commits at the end of the turn. */
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
      this.#cache.commit(() => this.#writer.exec('COMMIT'))
    } catch (error) {
      if (isFull(error) && this.#writer.inTransaction) this.#writer.exec('ROLLBACK')
      this.#fail(error)
      return
    }
    // Later reads must see the commit.
    this.#reader.endSnapshot()
    this.#close()
    this.#options.onCommit?.(this.#commits.waitingPages())
    const done = this.#group
    this.#group = []
    for (const waiting of done) waiting.resolve()
  }

  #close(): void {
    this.#open = false
    this.#lock.giveBack()
  }

  #fail(error: unknown): void {
    this.#cache.forget()
    this.#close()
    const failed = this.#group
    this.#group = []
    for (const waiting of failed) waiting.reject(error)
    if (!isFull(error)) this.#options.onCommitFailure(error)
  }
}

const never = (): Promise<void> | undefined => undefined

/** Whether the disk was full. SQLite reports this before a commit is complete, so the group is reliably rolled back. */
const isFull = (error: unknown): boolean => failureOf(error) === 'disk_full'

class Connection implements PromptConnection {
  handle: Handle
  snapshot = false
  /** Only transactions yield: their statements would otherwise run without a turn of the event loop in between. */
  nextTurn = never

  constructor(handle: Handle) {
    this.handle = handle
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return this.run<R>(query)
  }

  /** The result, at once unless the transaction has to yield. */
  run<R>(query: CompiledQuery): QueryResult<R> | Promise<QueryResult<R>> {
    const overdue = this.nextTurn()
    return overdue ? overdue.then(() => this.#runNow<R>(query)) : this.#runNow<R>(query)
  }

  #runNow<R>(query: CompiledQuery): QueryResult<R> | Promise<QueryResult<R>> {
    return isRowSet(query) ? this.#runRows(query, 0) : this.handle.run<R>(query)
  }

  /** Runs the rows from the one at `from`, and yields between two of them. */
  #runRows<R>(query: RowSetQuery, from: number): QueryResult<R> | Promise<QueryResult<R>> {
    let turn: Promise<void> | undefined
    const next = this.handle.runRows(query, from, () => {
      turn = this.nextTurn()
      return turn !== undefined
    })
    if (turn) return turn.then(() => this.#runRows(query, next))
    return { rows: [], numAffectedRows: BigInt(query.rowSet.length) }
  }

  async *streamQuery<R>(query: CompiledQuery, chunkSize: number): AsyncIterableIterator<QueryResult<R>> {
    // A snapshot has its own handle. Elsewhere, other statements can run between two rows, so the stream gets its
    // own.
    const own = this.snapshot ? this.handle : new Handle(this.handle.file, 'reads once')
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
