import Sqlite from 'better-sqlite3'
import pg from 'pg'

/** A statement as the database received it. */
export interface Statement {
  sql: string
  values: unknown[]
  /** Prepared on PostgreSQL. After some runs, it is planned without its values. */
  isNamed: boolean
}

let heard: Statement[] | undefined

// biome-ignore lint/suspicious/noExplicitAny: the drivers' functions, whatever they are given.
type Anything = any

/** Makes both drivers report their statements while somebody listens. */
function wrapDrivers(): void {
  const memory = new Sqlite(':memory:')
  const statement = Object.getPrototypeOf(memory.prepare('select 1'))
  memory.close()
  for (const name of ['all', 'get', 'iterate'] as const) {
    const run = statement[name]
    statement[name] = function (this: Sqlite.Statement, ...values: unknown[]) {
      heard?.push({ sql: this.source, values, isNamed: false })
      return run.apply(this, values)
    }
  }
  const client: Anything = pg.Client.prototype
  const query = client.query
  client.query = function (this: Anything, asked: Anything, values: Anything, ...rest: Anything[]) {
    if (typeof asked === 'string')
      heard?.push({ sql: asked, values: Array.isArray(values) ? values : [], isNamed: false })
    else if (asked.text)
      heard?.push({ sql: asked.text, values: asked.values ?? [], isNamed: Boolean(asked.name) })
    return query.call(this, asked, values, ...rest)
  }
}

let isWrapped = false

/** The statements of this process during some work. */
export async function statementsOf(work: () => Promise<unknown>): Promise<Statement[]> {
  if (!isWrapped) wrapDrivers()
  isWrapped = true
  const statements: Statement[] = []
  heard = statements
  try {
    await work()
  } finally {
    heard = undefined
  }
  return statements
}
