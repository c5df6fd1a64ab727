import pg from 'pg'

/** A statement that returns no rows and is prepared on the connection. */
export interface Statement {
  name: string
  text: string
  values: readonly unknown[]
}

/** The members of pg's queries and connections that their types do not declare. */
interface Connection {
  bind(config: { statement: string; values: readonly unknown[]; valueMapper: unknown }): void
  execute(config: object): void
  sync(): void
}
interface Query {
  queryMode: 'extended'
  callback: ((error: unknown, result?: unknown) => void) | undefined
  prepare(connection: Connection): void
  handleCommandComplete(message: object, connection: Connection): void
  handleError(error: unknown, connection: Connection): void
}

const ExtendedQuery = pg.Query as unknown as new (config: object) => Query
const { prepareValue } = (pg as unknown as { utils: { prepareValue: unknown } }).utils

/**
 * A query that is sent behind other statements in one round trip. PostgreSQL carries them out in their order, and none after
 * one that fails. The result is that of the query; the error is that of the statement that failed.
 */
export class PipelinedQuery extends ExtendedQuery {
  readonly before: readonly Statement[]
  #unanswered: number

  constructor(before: readonly Statement[], query: object) {
    super(query)
    this.queryMode = 'extended'
    this.before = before
    this.#unanswered = before.length
  }

  override prepare(connection: Connection): void {
    try {
      for (const { name, values } of this.before) {
        connection.bind({ statement: name, values, valueMapper: prepareValue })
        connection.execute({})
      }
    } catch (error) {
      // A value has no form in PostgreSQL. The statements before it are answered, and rolled back with the transaction.
      connection.sync()
      this.handleError(error, connection)
      return
    }
    super.prepare(connection)
  }

  override handleCommandComplete(message: object, connection: Connection): void {
    if (this.#unanswered > 0) this.#unanswered--
    else super.handleCommandComplete(message, connection)
  }
}
