import Sqlite from 'better-sqlite3'
import pg from 'pg'

/** A statement as it went to the database. */
export interface Statement {
  sql: string
  values: unknown[]
  /** Prepared on PostgreSQL: after some runs it is planned without looking at the values. */
  isNamed: boolean
}

let heard: Statement[] | undefined

// biome-ignore lint/suspicious/noExplicitAny: the drivers' functions, whatever they are given.
type Anything = any

/** Both drivers tell of what they are asked, for as long as somebody listens. */
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

/** What this process asks its databases while the work is under way. */
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
