import { performance } from 'node:perf_hooks'
import {
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresDialect,
  type PostgresPool,
  type PostgresPoolClient,
} from 'kysely'
import pg from 'pg'
import Cursor from 'pg-cursor'
import { noteCommit } from './commits.ts'
import { CommitUnknown, DatabaseUnavailable, failureOf, isOutage } from './failures.ts'
import { type PoolState, pools } from './pools.ts'
import { directReads, preparedName } from './prepared.ts'
import type { Tables } from './tables.ts'
import { unitingDriver } from './units.ts'

/**
 * PostgreSQL, which may restart, fail over or be away for a while. A connection that is lost fails what used it and
 * nothing else. While the server cannot be reached, statements fail at once, and one attempt at a time asks whether
 * it is back.
 */

/** Connections of one process. */
const CONNECTIONS = 10
/** Milliseconds to get a connection: a new one, or one that another request gives back. */
const CONNECT_MS = 5_000
/** Statements that wait for a connection at the same time. More than that would not get one in CONNECT_MS. */
const MOST_WAITING = 1_000
/** Milliseconds from one attempt to connect to the next while the server is away. */
const PROBE_MS = 250
/** Milliseconds for a statement, enforced by the server. */
const STATEMENT_MS = 5_000
/** Milliseconds after which a connection that has not answered is taken for lost: the server ends a statement sooner. */
const SILENT_MS = 10_000

// Counts and ids are far below 2^53: they are numbers here as they are on the wire.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

export function openPostgres(connectionString: string): Kysely<Tables> {
  const pool = new FailFastPool(connectionString)
  const db = new Kysely<Tables>({ dialect: new WatchedPostgres({ pool, cursor: EndingCursor }) })
  pools.set(db, () => pool.state())
  directReads.set(db, (sql, parameters) => pool.read(sql, parameters))
  return db
}

/** Lends the connections of a pool, and refuses at once while there is no server to connect to. */
class FailFastPool implements PostgresPool {
  readonly #pool: pg.Pool
  readonly options: pg.PoolOptions
  readonly #live = new Set<pg.PoolClient>()
  #isAway = false
  #isProbing = false
  #probe_at = 0

  constructor(connectionString: string) {
    this.#pool = new pg.Pool({
      connectionString,
      max: CONNECTIONS,
      statement_timeout: STATEMENT_MS,
      lock_timeout: 2_000,
      idle_in_transaction_session_timeout: 10_000,
      connectionTimeoutMillis: CONNECT_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: SILENT_MS,
      // A page is too little to start processes for, and they would be taken from other requests.
      options: '-c max_parallel_workers_per_gather=0',
      Client: WatchedClient,
    })
    this.options = this.#pool.options
    this.#pool.on('connect', (client) => this.#live.add(client))
    this.#pool.on('remove', (client) => this.#live.delete(client))
    // The pool replaces an idle connection that breaks. Without a listener the error would end the process.
    this.#pool.on('error', () => {})
  }

  /** Throws DatabaseUnavailable when there is no connection to be had. */
  async connect(): Promise<pg.PoolClient & PostgresPoolClient> {
    if (this.#pool.waitingCount >= MOST_WAITING)
      throw new DatabaseUnavailable('too many statements wait for a connection')
    const isProbe = this.#isAway
    if (isProbe && (this.#isProbing || performance.now() < this.#probe_at))
      throw new DatabaseUnavailable('the server was away a moment ago')
    this.#isProbing = isProbe
    try {
      const client = await this.#pool.connect()
      this.#isAway = false
      return client as pg.PoolClient & PostgresPoolClient
    } catch (cause) {
      // With other connections at work the server is there, and gives no further one.
      this.#isAway = this.#live.size === 0
      this.#probe_at = performance.now() + PROBE_MS
      throw new DatabaseUnavailable('no connection to the server', { cause })
    } finally {
      if (isProbe) this.#isProbing = false
    }
  }

  async read(sql: string, parameters: readonly unknown[]): Promise<unknown[]> {
    const client = await this.connect()
    try {
      return (await client.query(sql, [...parameters])).rows
    } finally {
      client.release()
    }
  }

  state(): PoolState {
    const { totalCount, idleCount, waitingCount } = this.#pool
    return { open: totalCount, idle: idleCount, waiting: waitingCount }
  }

  end(): Promise<void> {
    return this.#pool.end()
  }
}

class WatchedPostgres extends PostgresDialect {
  override createDriver(): Driver {
    const driver = super.createDriver()
    const commit = driver.commitTransaction.bind(driver)
    const rollback = driver.rollbackTransaction.bind(driver)
    driver.commitTransaction = async (connection: DatabaseConnection) => {
      noteCommit()
      try {
        await commit(connection)
      } catch (error) {
        throw failureOf(error) === 'unavailable' ? new CommitUnknown(error) : error
      }
    }
    driver.rollbackTransaction = async (connection: DatabaseConnection) => {
      try {
        await rollback(connection)
      } catch (error) {
        // The server rolls back what was open on a connection that is lost. Why it was lost has been told already.
        if (!isOutage(error)) throw error
      }
    }
    return unitingDriver(driver)
  }
}

/** Statements that lift the limit on how long a statement takes, and those that end the transaction they do it for. */
const LIFTS_LIMIT = /^set local "?statement_timeout"? = 0$/
const ENDS_TRANSACTION = /^(commit|rollback)$/

/**
 * A connection that says when it was lost, and does not end the process with it. It sends the hot statements under a
 * name, so that PostgreSQL parses and plans them once a connection.
 */
class WatchedClient extends pg.Client {
  #isLost = false
  #isUnlimited = false

  constructor(config?: string | pg.ClientConfig) {
    super(config)
    // The pool listens only while a connection is idle.
    this.on('error', () => {
      this.#isLost = true
    })
  }

  // biome-ignore lint/suspicious/noExplicitAny: pg declares seven overloads; Kysely uses the two with a text or a cursor.
  override query(...args: any[]): any {
    const [text, values, ...rest] = args
    // biome-ignore lint/suspicious/noExplicitAny: as above
    const send = super.query.bind(this) as any
    if (typeof text !== 'string' || rest.length > 0) return send(...args)
    const name = preparedName(text)
    return this.#answered(text, name ? send({ name, text, values }) : send(text, values))
  }

  /** Waits for an answer for as long as there may be one. */
  async #answered<T>(text: string, answer: Promise<T>): Promise<T> {
    if (LIFTS_LIMIT.test(text)) this.#isUnlimited = true
    const timer = this.#isUnlimited ? undefined : setTimeout(() => this.#drop('no answer'), SILENT_MS)
    try {
      return await answer
    } catch (error) {
      // A read-only server was the primary before: the next connection may lead to its successor.
      if ((error as { code?: unknown }).code === '25006') this.#drop('the server is read-only')
      if (this.#isLost && !(error instanceof pg.DatabaseError))
        throw new DatabaseUnavailable('the connection was lost', { cause: error })
      throw error
    } finally {
      clearTimeout(timer)
      if (ENDS_TRANSACTION.test(text)) this.#isUnlimited = false
    }
  }

  #drop(why: string): void {
    this.#isLost = true
    // pg declares no way to end a connection that does not answer.
    const { connection } = this as unknown as { connection: { stream: { destroy(error: Error): void } } }
    connection.stream.destroy(new Error(why))
  }
}

interface CursorConnection extends NodeJS.EventEmitter {
  stream: { destroyed: boolean }
}

/** What Kysely uses of a cursor; pg declares each method with a callback as well. */
type AwaitedCursor = new <T>(
  sql: string,
  parameters: unknown[],
) => { read(count: number): Promise<T[]>; close(): Promise<void> }

/** Ends with its connection: pg's own waits for an answer when it is closed, though nobody is left to give one. */
class EndingCursor<T> extends (Cursor as unknown as AwaitedCursor)<T> {
  override async close(): Promise<void> {
    const { connection } = this as unknown as { connection: CursorConnection | null }
    if (!connection || connection.stream.destroyed) return
    const { promise: ended, resolve } = Promise.withResolvers<void>()
    connection.once('end', resolve)
    await Promise.race([super.close(), ended])
    connection.off('end', resolve)
  }

  override async read(count: number): Promise<T[]> {
    try {
      return await super.read(count)
    } catch (error) {
      if (error instanceof pg.DatabaseError) throw error
      throw new DatabaseUnavailable('the connection was lost', { cause: error })
    }
  }
}
