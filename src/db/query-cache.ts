import { LRUCache } from 'lru-cache'

/**
 * The results of prepared queries on the embedded database, kept while their tables are unchanged. The process knows
 * which tables its own commits changed. A commit of another process changes the counter of commits, and ends all
 * results. So a request never gets a result that was changed before it arrived (S11).
 */
export class QueryCache {
  readonly #results = new LRUCache<string, Result>({ maxSize: MOST })
  readonly #tables = new Map<string, Table>()
  readonly #queries = new Map<string, Query>()
  /** Counts the commits of all processes. */
  readonly #countCommits: () => number
  #commits: number
  /** The tables that the open database transaction can have changed. */
  #changed = new Set<Table>()
  /** Whether it has changed a row; undefined if changes were rolled back. */
  #hasChanges: boolean | undefined = false
  /** Whether the counter was read since the current event. */
  #isCounted = false

  constructor(countCommits: () => number) {
    this.#countCommits = countCommits
    this.#commits = countCommits()
  }

  /** The committed result, from the cache or by `read`. */
  committed(sql: string, parameters: readonly unknown[], read: () => unknown[]): unknown[] {
    this.#noticeCommits()
    return this.#find(this.#queryOf(sql), parameters, read)
  }

  /** The result for the transaction that writes: as `committed`, unless it changed one of the tables. */
  written(sql: string, parameters: readonly unknown[], read: () => unknown[]): unknown[] {
    const query = this.#queryOf(sql)
    const isOwn = this.#changed.size > 0 && query.tables.some((table) => this.#changed.has(table))
    return isOwn ? read() : this.#find(query, parameters, read)
  }

  /** Notes that a database transaction was opened to write: until its end, no other process can commit. */
  begin(): void {
    this.#readCounter()
  }

  /** Notes a statement of the open transaction that changed this many rows. */
  noteWrite(sql: string, rows: number): void {
    if (rows > 0 && this.#hasChanges === false) this.#hasChanges = true
    const name = writtenTable(sql)
    if (name !== undefined) this.#changed.add(this.#tableOf(name))
    // A statement that is not recognised, such as one that changes the schema, can change every table.
    else for (const table of this.#tables.values()) this.#changed.add(table)
  }

  /** Runs the commit of the open transaction, and ends the results of the tables that it changed. */
  commit(commit: () => void): void {
    // No other process can commit until this transaction ends.
    this.#readCounter()
    const before = this.#commits
    commit()
    for (const table of this.#changed) table.version++
    // The counter must now have counted this commit, and only if it wrote something.
    this.#commits = this.#hasChanges === undefined ? Number.NaN : (before + Number(this.#hasChanges)) >>> 0
    this.#readCounter()
    this.forget()
  }

  /** Notes that a part of the open transaction was rolled back. */
  noteRollback(): void {
    if (this.#hasChanges) this.#hasChanges = undefined
  }

  /** Forgets the changes of the open transaction, which has ended. */
  forget(): void {
    this.#changed.clear()
    this.#hasChanges = false
  }

  /**
   * Ends all results if another process has committed. The counter is read once for each event of the event loop, such
   * as the arrival of a request: a later commit is concurrent to all that happens before the next event.
   */
  #noticeCommits(): void {
    if (this.#isCounted) return
    this.#readCounter()
    this.#isCounted = true
    process.nextTick(this.#endEvent)
  }

  /** Runs after all promises that the event has settled. */
  readonly #endEvent = () => {
    this.#isCounted = false
  }

  #readCounter(): void {
    const commits = this.#countCommits()
    if (commits === this.#commits) return
    this.#commits = commits
    this.#results.clear()
  }

  #find(query: Query, parameters: readonly unknown[], read: () => unknown[]): unknown[] {
    const key = keyOf(query, parameters)
    const version = versionOf(query)
    const known = this.#results.get(key)
    if (known?.version === version) return known.rows
    const rows = read()
    for (const row of rows) Object.freeze(row)
    const size = sizeOf(rows) + key.length
    if (size <= LARGEST) this.#results.set(key, { version, rows: Object.freeze(rows) as unknown[] }, { size })
    return rows
  }

  #queryOf(sql: string): Query {
    let query = this.#queries.get(sql)
    if (!query) {
      const tables = readTables(sql).map((name) => this.#tableOf(name))
      query = { number: this.#queries.size, tables }
      this.#queries.set(sql, query)
    }
    return query
  }

  #tableOf(name: string): Table {
    let table = this.#tables.get(name)
    if (!table) {
      table = { version: 0 }
      this.#tables.set(name, table)
    }
    return table
  }
}

/** About the bytes of all results, and of the largest one that is kept. */
const MOST = 16 * 1024 * 1024
const LARGEST = 1024 * 1024

interface Table {
  /** The number of its committed changes. */
  version: number
}

interface Query {
  number: number
  tables: readonly Table[]
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

const names = new Map<string, string | undefined>()

/** The table that a statement writes; undefined if the statement is not recognised. */
function writtenTable(sql: string): string | undefined {
  if (names.has(sql)) return names.get(sql)
  const name = /^\s*(?:insert (?:or \w+ )?into|update|delete from) "?(\w+)"?/i.exec(sql)?.[1]
  if (names.size >= 2_000) names.clear()
  names.set(sql, name)
  return name
}
