import { LRUCache } from 'lru-cache'

/**
 * Cached results of queries, each valid until one of its tables changes. `query-cache.ts` (embedded database) and
 * `postgres-cache.ts` (PostgreSQL) find out which tables have changed.
 */
export class ResultCache {
  readonly #results = new LRUCache<string, Result>({ maxSize: MOST })
  readonly #tables = new Map<string, Table>()
  readonly #queries = new Map<string, Query>()
  /** Counts the times when the cache was cleared. */
  #clears = 0

  get tables(): Iterable<Table> {
    return this.#tables.values()
  }

  queryOf(sql: string): Query {
    let query = this.#queries.get(sql)
    if (!query) {
      const tables = readTables(sql).map((name) => this.tableOf(name))
      query = { number: this.#queries.size, tables }
      this.#queries.set(sql, query)
    }
    return query
  }

  tableOf(name: string): Table {
    let table = this.#tables.get(name)
    if (!table) {
      table = { name, version: 0 }
      this.#tables.set(name, table)
    }
    return table
  }

  /** The cache entry of a result for the present state of its tables. Call it before the rows are read. */
  entryOf(query: Query, parameters: readonly unknown[]): Entry {
    return { key: keyOf(query, parameters), version: versionOf(query) + this.#clears }
  }

  /** The rows that were read in this state of the tables; undefined if there are none. */
  get({ key, version }: Entry): unknown[] | undefined {
    const result = this.#results.get(key)
    return result?.version === version ? result.rows : undefined
  }

  /** Freezes the rows, and stores them unless they are too large. */
  set({ key, version }: Entry, rows: unknown[]): void {
    for (const row of rows) Object.freeze(row)
    const size = sizeOf(rows) + key.length
    if (size <= LARGEST) this.#results.set(key, { version, rows: Object.freeze(rows) as unknown[] }, { size })
  }

  /** Invalidates all results, also those that are being read. */
  clear(): void {
    this.#clears++
    this.#results.clear()
  }
}

/** About the bytes of all results, and of the largest one that is stored. */
const MOST = 16 * 1024 * 1024
const LARGEST = 1024 * 1024

export interface Table {
  readonly name: string
  /** The number of its committed changes. */
  version: number
}

export interface Query {
  readonly number: number
  readonly tables: readonly Table[]
}

export interface Entry {
  readonly key: string
  readonly version: number
}

interface Result {
  version: number
  rows: unknown[]
}

/** Versions only grow, so their sum changes with each of them. */
function versionOf({ tables }: Query): number {
  let sum = 0
  for (const { version } of tables) sum += version
  return sum
}

function keyOf({ number }: Query, parameters: readonly unknown[]): string {
  let key = String(number)
  for (const value of parameters) {
    if (typeof value === 'number') key += ` ${value}`
    // The length separates a text from the next value.
    else if (typeof value === 'string') key += ` ${value.length}:${value}`
    else if (value instanceof Buffer) key += ` ${value.length}#${value.toString('latin1')}`
    else key += ` ${JSON.stringify(value)}`
  }
  return key
}

/** About the bytes of a result in memory. */
function sizeOf(rows: readonly unknown[]): number {
  let size = 100
  for (const row of rows) {
    size += 100
    for (const value of Object.values(row as object))
      size += typeof value === 'string' || value instanceof Buffer ? 16 + value.length : 16
  }
  return size
}

/** The tables in the `from` and `join` clauses of a query. */
const readTables = (sql: string): string[] => [
  ...new Set([...sql.matchAll(/\b(?:from|join) "?(\w+)"?/gi)].map(([, name]) => name as string)),
]
