import { type Compilable, type CompiledQuery, type RawBuilder, SqliteAdapter } from 'kysely'
import type { Db, Tx } from './database.ts'
import { holdBack } from './held-statements.ts'
import { runBatched, sourceOf } from './query-batches.ts'
import { TransactionExecutor } from './transactions.ts'
import { openUnit } from './units.ts'

/** A placeholder in a query for a value that is given at each run. */
class Slot {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

const slots = new Proxy(
  {},
  {
    get: (_, name: string) => new Slot(name),
    ownKeys: () => {
      throw new Error('A prepared query names each of its parameters: they cannot be spread')
    },
  },
)

/** Names of the statements that PostgreSQL keeps parsed and planned on each connection, by SQL text. */
const names = new Map<string, string>()

type Read = (query: PreparedQuery) => unknown[] | Promise<unknown[]>

/** A prepared query with the parameters of one run. */
export interface PreparedQuery {
  sql: string
  parameters: readonly unknown[]
  /** Whether its results are kept outside of transactions (`query-cache.ts`, `postgres-cache.ts`). */
  isCached: boolean
}

export const isCached = (query: object): boolean => (query as Partial<PreparedQuery>).isCached === true

/**
 * Direct read functions by root handle, which skip most of the query pipeline: for a hot look-up, that is a good
 * part of its time. A transaction is another handle and has none.
 */
export const directReads = new WeakMap<Db, Read>()

/** Marks a frequent statement as prepared on PostgreSQL; only for a small number of texts. */
export function keepPrepared(sql: string): void {
  if (!names.has(sql)) names.set(sql, `patchbay_${names.size}`)
}

/** The name of a prepared statement on PostgreSQL, if it is one. */
export const preparedName = (sql: string): string | undefined => names.get(sql)

/** A query of raw SQL in the form of the others. */
export const compilable = <R>(db: Db, query: RawBuilder<R>): Compilable<R> => ({
  compile: () => query.compile(db),
})

/** A list is one parameter, see isOneOf and tableOf: an array on PostgreSQL, JSON on SQLite. */
const bound = (isEmbedded: boolean, value: unknown): unknown =>
  isEmbedded && Array.isArray(value) ? JSON.stringify(value) : value

/**
 * Builds a query once per dialect instead of once per request; for hot paths only. `build` receives an object with
 * placeholders in place of the parameters.
 */
export function prepared<P extends object, R>(build: (db: Db, params: P) => Compilable<R>) {
  return preparedWith(build, {})
}

/**
 * Like `prepared`, for a query with a few different texts. `shape` has everything that the text depends on: texts, numbers and
 * booleans, in the same order each time.
 */
export function preparedByShape<Shape extends object, P extends object, R>(
  build: (db: Db, params: P, shape: Shape) => Compilable<R>,
) {
  const queries = new Map<string, ReturnType<typeof prepared<P, R>>>()
  return (db: Db, shape: Shape, params: P): Promise<R[]> => {
    const name = Object.values(shape).join()
    let query = queries.get(name)
    if (!query) {
      query = prepared((db, params: P) => build(db, params, shape))
      queries.set(name, query)
    }
    return query(db, params)
  }
}

/**
 * Like `prepared`, for tables that change rarely and are read by most requests. The results are kept until their tables
 * change, so the same rows are returned again: they are frozen.
 */
export function cached<P extends object, R>(build: (db: Db, params: P) => Compilable<R>) {
  return preparedWith(build, { isCached: true })
}

/**
 * Like `prepared`. Queries that a transaction, or a handle of `readingTogether`, starts together share a round trip to
 * PostgreSQL, see `query-batches.ts`. The columns must have a form in JSON, so they contain no bytes.
 */
export function batched<P extends object, R>(build: (db: Db, params: P) => Compilable<R>) {
  return preparedWith(build, { isBatched: true })
}

/** Both `cached` and `batched`, for what requests refer to: fields, people, stages, rules. */
export function referenceData<P extends object, R>(build: (db: Db, params: P) => Compilable<R>) {
  return preparedWith(build, { isCached: true, isBatched: true })
}

/**
 * Like `prepared`, for a write whose result nobody reads, so that PostgreSQL gets it with the next statement of the
 * transaction. See `holdBack` about its errors.
 */
export function preparedWrite<P extends object>(build: (db: Db, params: P) => Compilable) {
  const run = preparedWith(build, { isHeldBack: true })
  return async (tx: Tx, params: P): Promise<void> => {
    await run(tx, params)
  }
}

/** Derives something from the rows of a cached query, once for each result. */
export function derived<R, T>(derive: (rows: readonly R[]) => T): (rows: readonly R[]) => T {
  const known = new WeakMap<readonly R[], { value: T }>()
  return (rows) => {
    let found = known.get(rows)
    if (!found) {
      found = { value: derive(rows) }
      known.set(rows, found)
    }
    return found.value
  }
}

interface Mode {
  isCached?: boolean
  isBatched?: boolean
  isHeldBack?: boolean
}

function preparedWith<P extends object, R>(
  build: (db: Db, params: P) => Compilable<R>,
  { isCached = false, isBatched = false, isHeldBack = false }: Mode,
) {
  const compiled = new Map<unknown, CompiledQuery<R>>()
  return (db: Db, params: P): Promise<R[]> => {
    const { adapter } = db.getExecutor()
    let query = compiled.get(adapter.constructor)
    if (!query) {
      query = build(db, slots as P).compile()
      compiled.set(adapter.constructor, query)
    }
    const isEmbedded = adapter instanceof SqliteAdapter
    const { sql, parameters, query: node, queryId } = query
    const values: unknown[] = []
    for (const value of parameters)
      values.push(value instanceof Slot ? bound(isEmbedded, params[value.name as keyof P]) : value)
    const run: PreparedRun<R> = { sql, parameters: values, query: node, queryId, isCached }
    if (isEmbedded) return runPrepared(db, run)
    if (isHeldBack) holdBack(values)
    if (isBatched && db.isTransaction) return runBatched(db, run, runPrepared)
    const source = sourceOf(db)
    if (source === undefined) return runPrepared(db, run)
    // Results that are kept need no round trip.
    if (isBatched && !isCached) return runBatched(db, run, (_, query) => runPrepared(source, query))
    return runPrepared(source, run)
  }
}

type PreparedRun<R> = CompiledQuery<R> & PreparedQuery

async function runPrepared<R>(db: Db, query: PreparedRun<R>): Promise<R[]> {
  keepPrepared(query.sql)
  const executor = db.getExecutor()
  if (executor instanceof TransactionExecutor) {
    const result = executor.run<R>(query)
    return (result instanceof Promise ? await result : result).rows
  }
  // Uncommitted writes of an open unit are visible on its own connection only.
  const read = openUnit() ? undefined : directReads.get(db)
  if (read) return (await read(query)) as R[]
  const { rows } = await db.executeQuery<R>(query)
  return rows
}
