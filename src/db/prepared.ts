import { type Compilable, type CompiledQuery, SqliteAdapter } from 'kysely'
import type { Db } from './database.ts'
import { openUnit } from './units.ts'

/** Stands in a query for a value that is given at each run. */
class Slot {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

const slots = new Proxy({}, { get: (_, name: string) => new Slot(name) })

/** Statements that PostgreSQL keeps parsed and planned on each connection, by their text. */
const names = new Map<string, string>()

type Read = (sql: string, parameters: readonly unknown[]) => unknown[] | Promise<unknown[]>

/**
 * What a hot look-up waits for is, for a good part, the way to the database. A root handle that is known here is asked
 * without that way; a transaction is another handle and goes it.
 */
export const directReads = new WeakMap<Db, Read>()

/** Has PostgreSQL keep a statement that is sent often; for texts of which there are few. */
export function keepPrepared(sql: string): void {
  if (!names.has(sql)) names.set(sql, `patchbay_${names.size}`)
}

/** The name under which a hot statement is prepared on PostgreSQL, if it is one. */
export const preparedName = (sql: string): string | undefined => names.get(sql)

/** A list is one value, see isOneOf and tableOf: an array on PostgreSQL, JSON on the embedded database. */
const bound = (db: Db, value: unknown): unknown =>
  Array.isArray(value) && db.getExecutor().adapter instanceof SqliteAdapter ? JSON.stringify(value) : value

/**
 * A query that is built once a dialect instead of once a request; for the hot path only.
 * `build` receives, in place of the parameters, an object of the same members to put into the query.
 */
export function prepared<P extends object, R>(build: (db: Db, params: P) => Compilable<R>) {
  const compiled = new Map<unknown, CompiledQuery<R>>()
  return async (db: Db, params: P): Promise<R[]> => {
    const dialect = db.getExecutor().adapter.constructor
    let query = compiled.get(dialect)
    if (!query) {
      query = build(db, slots as P).compile()
      compiled.set(dialect, query)
      keepPrepared(query.sql)
    }
    const values = query.parameters.map((value) =>
      value instanceof Slot ? bound(db, params[value.name as keyof P]) : value,
    )
    // What an open unit has written is seen on its own connection alone.
    const read = openUnit() ? undefined : directReads.get(db)
    if (read) return (await read(query.sql, values)) as R[]
    const { rows } = await db.executeQuery<R>({ ...query, parameters: values })
    return rows
  }
}
