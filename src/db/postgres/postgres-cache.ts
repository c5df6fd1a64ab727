import { CHANGES_SINCE, type Changes, TRACKED_TABLES } from '../changed-tables.ts'
import { hasChecked, markChecked } from '../database-waits.ts'
import { keepPrepared } from '../prepared.ts'
import { type Query, ResultCache } from '../result-cache.ts'
import { CoalescedQuery } from './coalesced-query.ts'

/** The connections of a cache. */
export interface Connections {
  read(sql: string, parameters: readonly unknown[]): Promise<unknown[]>
  /** Like `read`, and says which connection has answered. */
  readNumbered(sql: string, parameters: readonly unknown[]): Promise<NumberedAnswer>
}

export interface NumberedAnswer {
  rows: unknown[]
  /** The number of the connection; connections are numbered in the order in which they were made. */
  connection: number
  /** The number of the newest connection when the statement was sent. */
  newest: number
}

interface Check {
  snapshot: string
  place: number
  newest: number
}

/**
 * Caches the results of frequent queries on PostgreSQL while their tables are unchanged (S45). The database records which
 * transactions change these tables. A request waits for a check that was sent after it arrived: it returns the tables with
 * changes that the snapshot of the last check does not contain, and their results are invalidated. So a request never gets
 * a result that was changed before it arrived, also by another program.
 */
export class PostgresCache {
  readonly #connections: Connections
  readonly #cache = new ResultCache()
  readonly #check = new CoalescedQuery(() => this.#findChanges())
  /** The last check; undefined if it failed, or there was none. */
  #last: Check | undefined
  #tracked: ReadonlySet<string> = new Set()

  constructor(connections: Connections) {
    this.#connections = connections
    keepPrepared(CHANGES_SINCE)
  }

  /** The rows of a query outside of transactions, as committed now. */
  async read({ sql, parameters }: { sql: string; parameters: readonly unknown[] }): Promise<unknown[]> {
    const query = this.#cache.queryOf(sql)
    const isOther = this.#last !== undefined && !this.#isTracked(query)
    if (!isOther && !hasChecked(this)) {
      await this.#check.run()
      markChecked(this)
    }
    if (!this.#isTracked(query)) return this.#connections.read(sql, parameters)
    const entry = this.#cache.entryOf(query, parameters)
    const cached = this.#cache.get(entry)
    if (cached) return cached
    // This snapshot is newer than that of the last check, so it contains all changes that the check has found.
    const rows = await this.#connections.read(sql, parameters)
    this.#cache.set(entry, rows)
    return rows
  }

  #isTracked({ tables }: Query): boolean {
    return this.#last !== undefined && tables.every(({ name }) => this.#tracked.has(name))
  }

  /** Invalidates the results of changed tables. If the check fails, nothing is cached, and the queries report why. */
  async #findChanges(): Promise<void> {
    const last = this.#last
    try {
      const { rows, connection, newest } = await this.#connections.readNumbered(CHANGES_SINCE, [
        last?.snapshot ?? null,
      ])
      const { snapshot, place, is_complete, names } = (rows[0] as { changes: Changes }).changes
      // A crash, a failover and a replaced database end all connections, and can take transactions back whose numbers are
      // then given to others. A connection that is older than the last check proves that none of these has happened.
      const isSame = last !== undefined && last.place === place && connection <= last.newest
      if (!isSame) await this.#restart()
      else if (is_complete) for (const name of names) this.#cache.tableOf(name).version++
      else this.#cache.clear()
      this.#last = { snapshot, place, newest }
    } catch {
      this.#last = undefined
      this.#cache.clear()
    }
  }

  async #restart(): Promise<void> {
    this.#last = undefined
    this.#cache.clear()
    const rows = (await this.#connections.read(TRACKED_TABLES, [])) as { name: string }[]
    this.#tracked = new Set(rows.map(({ name }) => name))
  }
}
