import { type CompiledQuery, SqliteAdapter } from 'kysely'
import type { Db } from './database.ts'
import { isDistributed, namesDistributed } from './distribution/distributed.ts'

/** A query that waits for the others of its turn. */
export interface Waiting<Q> {
  query: Q
  resolve: (rows: never[]) => void
  reject: (error: unknown) => void
}

/** The queries that were started in this turn, per transaction or handle. */
const started = new WeakMap<Db, Waiting<never>[]>()

/** The handle that each handle of `readingTogether` stands for. */
const sources = new WeakMap<Db, Db>()

/** The records of a page above which each query is sent alone: results that are read together are parsed at once. */
const MOST_TOGETHER = 50

/**
 * A handle for the look-ups of a page with this many records. Outside of transactions too, the batched queries that are
 * started together with it share a round trip to PostgreSQL, and one connection. For a large page and on the embedded
 * database, it is the same handle.
 */
export function readingTogether(db: Db, records: number): Db {
  if (records > MOST_TOGETHER || db.isTransaction || db.getExecutor().adapter instanceof SqliteAdapter)
    return db
  const together = db.withoutPlugins()
  sources.set(together, db)
  return together
}

/** The handle that a handle of `readingTogether` stands for; undefined for others. */
export const sourceOf = (db: Db): Db | undefined => sources.get(db)

type Run<Q> = (db: Db, query: Q) => Promise<unknown[]>

/**
 * Runs the queries of a transaction that are started in one turn of the event loop as one statement: a round trip to
 * PostgreSQL costs more than a look-up. Each query becomes a column with its rows as JSON. `run` sends a statement. In a
 * distributed database there are two: of the account's server, and of the coordinator.
 */
export function runBatched<R, Q extends CompiledQuery<R>>(db: Db, query: Q, run: Run<Q>): Promise<R[]> {
  const others = started.get(db) as Waiting<Q>[] | undefined
  const waiting = others ?? []
  if (!others) {
    started.set(db, waiting as Waiting<never>[])
    // After the promises that are already settled, so that queries behind them can join.
    process.nextTick(() => {
      // Something else has taken them.
      if (started.get(db) !== waiting) return
      started.delete(db)
      for (const group of groupsOf(db, waiting)) void send(db, group, run)
    })
  }
  return new Promise((resolve, reject) => {
    waiting.push({ query, resolve: resolve as (rows: never[]) => void, reject })
  })
}

/**
 * Takes the queries that a transaction has started in this turn, for a statement that runs anyway; none in a distributed
 * database. The caller must settle them.
 */
export function takeStarted(db: Db): Waiting<CompiledQuery>[] {
  const waiting = (started.get(db) ?? []) as Waiting<CompiledQuery>[]
  if (waiting.length === 0 || isDistributed(db)) return []
  started.delete(db)
  return waiting
}

function groupsOf<Q extends CompiledQuery>(db: Db, waiting: Waiting<Q>[]): Waiting<Q>[][] {
  if (!isDistributed(db)) return [waiting]
  return [...Map.groupBy(waiting, ({ query }) => namesDistributed(query.sql)).values()]
}

async function send<Q extends CompiledQuery>(db: Db, waiting: Waiting<Q>[], run: Run<Q>): Promise<void> {
  const [first] = waiting as [Waiting<Q>]
  try {
    if (waiting.length === 1) return first.resolve((await run(db, first.query)) as never[])
    const { sql, parameters } = combined(waiting)
    const [row] = await run(db, { ...first.query, sql, parameters })
    answer(waiting, row)
  } catch (error) {
    for (const { reject } of waiting) reject(error)
  }
}

/** Gives each query its column of the combined row. */
export function answer(waiting: readonly Pick<Waiting<never>, 'resolve'>[], row: unknown): void {
  for (const [i, { resolve }] of waiting.entries()) resolve((row as Record<string, never[]>)[`q${i}`] ?? [])
}

/** The combined texts that were built, by the numbers of their queries and those of their parameters. */
const combinations = new Map<string, string>()
/** The numbers of the texts of queries. */
const numbers = new Map<string, number>()

function numberOfText(sql: string): number {
  let number = numbers.get(sql)
  if (number === undefined) {
    number = numbers.size
    numbers.set(sql, number)
  }
  return number
}

/**
 * The queries as columns of one row, with consecutive parameters after those that are `given`. A list that several queries
 * have is sent once. The key names the text.
 */
export function combined(
  waiting: readonly Pick<Waiting<CompiledQuery>, 'query'>[],
  given: readonly unknown[] = [],
): { key: string; sql: string; parameters: unknown[] } {
  const parameters = [...given]
  const numberOf = (value: unknown): number => {
    // An empty list can stand for values of different types.
    const known = Array.isArray(value) && value.length > 0 ? parameters.indexOf(value, given.length) : -1
    return known >= 0 ? known + 1 : parameters.push(value)
  }
  const places = waiting.map(({ query }) => query.parameters.map(numberOf))
  const key = waiting.map(({ query }, i) => `${numberOfText(query.sql)}:${places[i]}`).join(' ')
  let sql = combinations.get(key)
  if (sql === undefined) {
    sql = combine(
      waiting.map(({ query }) => query.sql),
      places,
    )
    combinations.set(key, sql)
  }
  return { key, sql, parameters }
}

/** `places` are the numbers of the parameters of each query in the combined text. */
function combine(texts: readonly string[], places: readonly number[][]): string {
  const columns = texts.map((sql, i) => {
    const text = sql.replace(/\$(\d+)/g, (_, n) => `$${places[i]?.[Number(n) - 1]}`)
    return `(select json_agg(row_to_json(r)) from (${text}) as r) as q${i}`
  })
  return `select ${columns.join(', ')}`
}
