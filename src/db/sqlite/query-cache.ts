import { type Query, ResultCache, type Table } from '../result-cache.ts'

/**
 * Caches results of prepared queries on the embedded database while their tables are unchanged. The process knows
 * which tables its own commits changed. A commit of another process changes the counter of commits, and invalidates
 * all results. So a request never gets a result that was changed before it arrived (S11).
 */
export class QueryCache {
  readonly #cache = new ResultCache()
  /** Counts the commits of all processes. */
  readonly #countCommits: () => number
  /** Ends the shared snapshots of this event, which can be older than a commit of another process. */
  readonly #endSnapshots: () => void
  #commits: number
  /** The tables that the open database transaction can have changed. */
  #changed = new Set<Table>()
  /** Whether it has changed a row; undefined if changes were rolled back. */
  #hasChanges: boolean | undefined = false
  /** Whether the counter was read since the current event. */
  #isCounted = false

  constructor(countCommits: () => number, endSnapshots: () => void) {
    this.#countCommits = countCommits
    this.#endSnapshots = endSnapshots
    this.#commits = countCommits()
  }

  /** The committed result, from the cache or by `read`. */
  committed(sql: string, parameters: readonly unknown[], read: () => unknown[]): unknown[] {
    this.#noticeCommits()
    return this.#find(this.#cache.queryOf(sql), parameters, read)
  }

  /** The result for the transaction that writes: as `committed`, unless it changed one of the tables. */
  written(sql: string, parameters: readonly unknown[], read: () => unknown[]): unknown[] {
    const query = this.#cache.queryOf(sql)
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
    if (name !== undefined) this.#changed.add(this.#cache.tableOf(name))
    // A statement that is not recognised, such as one that changes the schema, can change every table.
    else for (const table of this.#cache.tables) this.#changed.add(table)
  }

  /** Runs the commit of the open transaction, and invalidates the results of the tables that it changed. */
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
   * Invalidates all results if another process has committed. The counter is read once for each event of the event loop, such
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
    this.#endSnapshots()
    this.#cache.clear()
  }

  #find(query: Query, parameters: readonly unknown[], read: () => unknown[]): unknown[] {
    const entry = this.#cache.entryOf(query, parameters)
    const cached = this.#cache.get(entry)
    if (cached) return cached
    const rows = read()
    this.#cache.set(entry, rows)
    return rows
  }
}

const names = new Map<string, string | undefined>()

/** The table that a statement writes; undefined if the statement is not recognised. */
function writtenTable(sql: string): string | undefined {
  if (names.has(sql)) return names.get(sql)
  const name = /^\s*(?:insert (?:or \w+ )?into|update|delete from) "?(\w+)"?/i.exec(sql)?.[1]
  if (names.size >= 2_000) names.clear()
  names.set(sql, name)
  return name
}
