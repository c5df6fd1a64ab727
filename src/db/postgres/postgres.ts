import { performance } from 'node:perf_hooks'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type Kysely,
  PostgresDialect,
  type PostgresDialectConfig,
  type PostgresPool,
  type PostgresPoolClient,
  type TransactionSettings,
} from 'kysely'
import pg from 'pg'
import Cursor from 'pg-cursor'
import { noteCommit } from '../commits.ts'
import { checkAgain, waitForDatabase } from '../database-waits.ts'
import { SpreadAdapter } from '../distribution/distributed.ts'
import { CommitUnknown, DatabaseUnavailable, failureOf, isOutage } from '../failures.ts'
import { type PoolState, pools } from '../pools.ts'
import { directReads } from '../prepared.ts'
import type { Tables } from '../tables.ts'
import { Database } from '../transactions.ts'
import { unitingDriver } from '../units.ts'
import { preparePlanCommands } from './plan-mode.ts'
import { type Connections, type NumberedAnswer, PostgresCache } from './postgres-cache.ts'
import { type ClientConfig, SILENT_MS, WatchedClient } from './watched-client.ts'

/**
 * PostgreSQL can restart, fail over or be unreachable. A lost connection fails only the work that used it. While
 * the server is unreachable, statements fail immediately, and one attempt at a time checks whether it is back.
 */

/** The connections of one process. */
const CONNECTIONS = 10
/** Those to a replica, which only exports use. */
const READER_CONNECTIONS = 5
/** Milliseconds to wait for a connection, new or returned by another request. */
const CONNECT_MS = 5_000
/** The most statements that wait for a connection. More would not get one within CONNECT_MS. */
const MAX_WAITING = 1_000
/** Milliseconds between connection attempts while the server is unreachable. */
const PROBE_MS = 250
/** Milliseconds for a statement, enforced by the server. */
const STATEMENT_MS = 5_000

// Parses counts and ids as numbers, as on the wire: they are far below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

/** A `reader` cannot write, even if its address leads to the primary. */
export function openPostgres(connectionString: string, role: 'writer' | 'reader' = 'writer'): Kysely<Tables> {
  const adapter = new SpreadAdapter()
  const pool = new FailFastPool(connectionString, {
    ...roles[role],
    plansOnce: () => !adapter.isDistributed,
  })
  const db = new Database<Tables>(new WatchedPostgres({ pool, cursor: EndingCursor }, adapter))
  pools.set(db, () => pool.state())
  // A replica can be behind what the database has answered.
  const cache = role === 'writer' ? new PostgresCache(pool) : undefined
  directReads.set(db, (query) =>
    cache && query.isCached ? cache.read(query) : pool.read(query.sql, query.parameters),
  )
  return db
}

// Parallel workers are disabled: pages are small, and the processes would be missing for other requests. Statements are
// not compiled (JIT): PostgreSQL would do it at each run of a plan that has to read a whole small table, because such a
// plan seems expensive without `enable_seqscan` (S53), and take up to a second for it.
const OPTIONS = '-c max_parallel_workers_per_gather=0 -c jit=off'
const roles = {
  writer: { max: CONNECTIONS, options: OPTIONS },
  reader: { max: READER_CONNECTIONS, options: `${OPTIONS} -c default_transaction_read_only=on` },
}

/** The address with these options after its own ones. The driver would use those of an address in place of others. */
function withOptions(address: string, options: string): string {
  const [parameter = '', own = ''] = /[?&]options=([^&#]*)/.exec(address) ?? []
  const all = `options=${own}${own && '%20'}${encodeURIComponent(options)}`
  if (parameter) return address.replace(parameter, () => `${parameter[0]}${all}`)
  return `${address}${address.includes('?') ? '&' : '?'}${all}`
}

/** Provides the connections of a pool, and fails immediately while the server is unreachable. */
class FailFastPool implements PostgresPool, Connections {
  readonly #pool: pg.Pool
  readonly options: pg.PoolOptions
  /** The connections that it opens at most. */
  readonly #max: number
  readonly #live = new Set<pg.PoolClient>()
  readonly #numbers = new WeakMap<pg.PoolClient, number>()
  #newest = 0
  #isAway = false
  #isProbing = false
  #probe_at = 0
  /** Until when the server counts as full: work waits for the connections that there are. */
  #full_until = 0

  constructor(address: string, { options, ...role }: { options: string; max: number } & ClientConfig) {
    this.#max = role.max
    this.#pool = new pg.Pool({
      connectionString: withOptions(address, options),
      statement_timeout: STATEMENT_MS,
      lock_timeout: 2_000,
      idle_in_transaction_session_timeout: 10_000,
      connectionTimeoutMillis: CONNECT_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: SILENT_MS,
      ...role,
      Client: WatchedClient,
      onConnect: preparePlanCommands,
    })
    this.options = this.#pool.options
    this.#pool.on('connect', (client) => {
      this.#live.add(client)
      this.#numbers.set(client, ++this.#newest)
    })
    this.#pool.on('remove', (client) => this.#live.delete(client))
    // The pool replaces broken idle connections. Without a listener, their errors would end the process.
    this.#pool.on('error', () => {})
  }

  /** Throws DatabaseUnavailable if no connection is available. */
  async connect(): Promise<pg.PoolClient & PostgresPoolClient> {
    if (this.#pool.waitingCount >= MAX_WAITING)
      throw new DatabaseUnavailable('too many statements are waiting for a connection')
    const isProbe = this.#isAway
    if (isProbe && (this.#isProbing || performance.now() < this.#probe_at))
      throw new DatabaseUnavailable('the server was unreachable a moment ago')
    this.#isProbing = isProbe
    try {
      const client = await waitForDatabase(() => this.#newOrReturned(performance.now() + CONNECT_MS))
      this.#isAway = false
      return client as pg.PoolClient & PostgresPoolClient
    } catch (cause) {
      // If other connections are active, the server is reachable.
      this.#isAway = this.#live.size === 0
      this.#probe_at = performance.now() + PROBE_MS
      throw new DatabaseUnavailable('no connection to the server', { cause })
    } finally {
      if (isProbe) this.#isProbing = false
    }
  }

  /** While the server answers that it takes no new connection, the pool is as large as what it has. */
  async #newOrReturned(until: number): Promise<pg.PoolClient> {
    for (;;) {
      if (performance.now() >= this.#full_until) this.#pool.options.max = this.#max
      try {
        return await this.#pool.connect()
      } catch (error) {
        const isReachable = error instanceof pg.DatabaseError && this.#live.size > 0
        if (!isReachable || performance.now() >= until) throw error
        this.#pool.options.max = this.#live.size
        this.#full_until = performance.now() + PROBE_MS
      }
    }
  }

  async read(sql: string, parameters: readonly unknown[]): Promise<unknown[]> {
    return (await this.readNumbered(sql, parameters)).rows
  }

  async readNumbered(sql: string, parameters: readonly unknown[]): Promise<NumberedAnswer> {
    const client = await this.connect()
    try {
      const newest = this.#newest
      const { rows } = await client.query(sql, [...parameters])
      return { rows, connection: this.#numbers.get(client) as number, newest }
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
  readonly #adapter: SpreadAdapter

  constructor(config: PostgresDialectConfig, adapter: SpreadAdapter) {
    super(config)
    this.#adapter = adapter
  }

  override createAdapter(): SpreadAdapter {
    return this.#adapter
  }

  override createDriver(): Driver {
    const driver = super.createDriver()
    const begin = driver.beginTransaction.bind(driver)
    driver.beginTransaction = async (connection: DatabaseConnection, settings: TransactionSettings) => {
      const isReader = settings.accessMode !== undefined || settings.isolationLevel !== undefined
      if (isReader || !this.#adapter.isDistributed) return begin(connection, settings)
      // A transaction that writes only on other servers would have no number here, and count as a reader.
      await connection.executeQuery(CompiledQuery.raw('begin; select pg_current_xact_id()'))
    }
    const commit = driver.commitTransaction.bind(driver)
    const rollback = driver.rollbackTransaction.bind(driver)
    driver.commitTransaction = async (connection: DatabaseConnection) => {
      noteCommit()
      try {
        await commit(connection)
      } catch (error) {
        throw failureOf(error) === 'unavailable' ? new CommitUnknown(error) : error
      } finally {
        checkAgain()
      }
    }
    driver.rollbackTransaction = async (connection: DatabaseConnection) => {
      try {
        await rollback(connection)
      } catch (error) {
        // The server rolls back transactions of a lost connection. The cause was already reported.
        if (!isOutage(error)) throw error
      }
    }
    return unitingDriver(driver)
  }
}

interface CursorConnection extends NodeJS.EventEmitter {
  stream: { destroyed: boolean }
}

/** The cursor methods that Kysely uses; pg declares each with a callback as well. */
type AwaitedCursor = new <T>(
  sql: string,
  parameters: unknown[],
) => { read(count: number): Promise<T[]>; close(): Promise<void> }

/** A cursor that closes with its connection: that of pg would wait for an answer that never comes. */
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
