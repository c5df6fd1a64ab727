import Sqlite from 'better-sqlite3'
import pg from 'pg'

/** A statement as the database received it. */
export interface Statement {
  sql: string
  values: unknown[]
  /** Prepared on PostgreSQL. After some runs, it is planned without its values. */
  isNamed: boolean
}

type Listener = (statement: Statement) => void

/** How better-sqlite3 runs a statement that returns rows; `run` is for the others. */
const reading = ['all', 'get', 'iterate'] as const

// biome-ignore lint/suspicious/noExplicitAny: the drivers' functions, with any arguments.
type Anything = any

/** Makes both drivers report their statements from now on. */
export function reportStatements(
  listener: Listener,
  methods: readonly (keyof Sqlite.Statement & string)[] = reading,
): void {
  const memory = new Sqlite(':memory:')
  const statement = Object.getPrototypeOf(memory.prepare('select 1'))
  memory.close()
  for (const name of methods) {
    const run = statement[name]
    statement[name] = function (this: Sqlite.Statement, ...values: unknown[]) {
      listener({ sql: this.source, values, isNamed: false })
      return run.apply(this, values)
    }
  }
  const client: Anything = pg.Client.prototype
  const query = client.query
  client.query = function (this: Anything, command: Anything, values: Anything, ...rest: Anything[]) {
    if (typeof command === 'string')
      listener({ sql: command, values: Array.isArray(values) ? values : [], isNamed: false })
    else if (command.text)
      listener({ sql: command.text, values: command.values ?? [], isNamed: Boolean(command.name) })
    return query.call(this, command, values, ...rest)
  }
}

let heard: Statement[] | undefined
let isReported = false

/** The statements of this process during some work. */
export async function statementsOf(work: () => Promise<unknown>): Promise<Statement[]> {
  if (!isReported) reportStatements((statement) => heard?.push(statement))
  isReported = true
  const statements: Statement[] = []
  heard = statements
  try {
    await work()
  } finally {
    heard = undefined
  }
  return statements
}
