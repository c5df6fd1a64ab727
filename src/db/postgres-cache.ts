import { CHANGES_SINCE, type Changes, NOTED_TABLES } from './changed-tables.ts'
import { hasAsked, noteAsked } from './database-waits.ts'
import { KeptResults, type Query } from './kept-results.ts'
import { keepPrepared } from './prepared.ts'
import { SharedQuestion } from './shared-question.ts'

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

interface Known {
  snapshot: string
  place: number
  newest: number
}

/**
 * The results of frequent queries on PostgreSQL, kept while their tables are unchanged (S45). The database notes which
 * transactions change these tables. A request waits for a question that was sent after it arrived: which notes does the
 * snapshot of the last question not contain? The results of the tables that they name end. So a request never gets a result
 * that was changed before it arrived, also by another program.
 */
export class PostgresCache {
  readonly #connections: Connections
  readonly #kept = new KeptResults()
  readonly #question = new SharedQuestion(() => this.#ask())
  /** The answer to the last question; undefined if it failed, or there was none. */
  #known: Known | undefined
  #noted: ReadonlySet<string> = new Set()

  constructor(connections: Connections) {
    this.#connections = connections
    keepPrepared(CHANGES_SINCE)
  }

  /** The rows of a query outside of transactions, as committed now. */
  async read({ sql, parameters }: { sql: string; parameters: readonly unknown[] }): Promise<unknown[]> {
    const query = this.#kept.queryOf(sql)
    const isOther = this.#known !== undefined && !this.#isNoted(query)
    if (!isOther && !hasAsked(this)) {
      await this.#question.answered()
      noteAsked(this)
    }
    if (!this.#isNoted(query)) return this.#connections.read(sql, parameters)
    const place = this.#kept.placeOf(query, parameters)
    const known = this.#kept.find(place)
    if (known) return known
    // This snapshot is newer than that of the last question, so it contains all changes that the answer names.
    const rows = await this.#connections.read(sql, parameters)
    this.#kept.keep(place, rows)
    return rows
  }

  #isNoted({ tables }: Query): boolean {
    return this.#known !== undefined && tables.every(({ name }) => this.#noted.has(name))
  }

  /** Ends the results of changed tables. If the question fails, no result is kept, and the queries report why. */
  async #ask(): Promise<void> {
    const known = this.#known
    try {
      const { rows, connection, newest } = await this.#connections.readNumbered(CHANGES_SINCE, [
        known?.snapshot ?? null,
      ])
      const { snapshot, place, is_complete, names } = (rows[0] as { changes: Changes }).changes
      // A crash, a failover and a replaced database end all connections, and can take transactions back whose numbers are
      // then given to others. A connection that is older than the last question proves that none of these has happened.
      const isSame = known !== undefined && known.place === place && connection <= known.newest
      if (!isSame) await this.#restart()
      else if (is_complete) for (const name of names) this.#kept.tableOf(name).version++
      else this.#kept.end()
      this.#known = { snapshot, place, newest }
    } catch {
      this.#known = undefined
      this.#kept.end()
    }
  }

  async #restart(): Promise<void> {
    this.#known = undefined
    this.#kept.end()
    const rows = (await this.#connections.read(NOTED_TABLES, [])) as { name: string }[]
    this.#noted = new Set(rows.map(({ name }) => name))
  }
}
