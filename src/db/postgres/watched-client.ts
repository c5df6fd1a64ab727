import pg from 'pg'
import { waitForDatabase } from '../database-waits.ts'
import { DatabaseUnavailable } from '../failures.ts'
import { isHeldBack } from '../held-statements.ts'
import { keepPrepared, preparedName } from '../prepared.ts'
import { PipelinedQuery, type Statement } from './pipelined-query.ts'
import { ConnectionPlans, type PlanMode, planCommands } from './plan-mode.ts'

/** Milliseconds without an answer after which a connection counts as lost. The server ends statements sooner. */
export const SILENT_MS = 10_000

const BEGIN = 'begin'
const BEGINS = /^begin\b/
const ENDS = /^(commit|rollback)$/
/** Also of a part, to a savepoint. */
const ROLLS_BACK = /^rollback\b/
const LIFTS_LIMIT = /^set local "?statement_timeout"? = 0$/

for (const text of [BEGIN, 'commit', ...planCommands]) keepPrepared(text)

type Answer = Pick<pg.QueryResult, 'command' | 'rowCount' | 'rows'>
type Send = (query: string | object, values?: readonly unknown[]) => Promise<Answer>

/** The answer to a statement that is not sent, or not yet. */
const unsent = (command = ''): Promise<Answer> => Promise.resolve({ command, rowCount: 0, rows: [] })

/** The members of its client that pg does not declare. */
interface Internals {
  connection: {
    /** The texts of the statements that are prepared on the connection, by their names. */
    parsedStatements: Record<string, string>
    stream: { destroy(error: Error): void }
  }
}

/** The settings of a pool that its connections receive. */
export interface ClientConfig extends pg.ClientConfig {
  /** Whether hot statements are planned once. Citus needs the values to find the server of an account. */
  plansOnce?: () => boolean
}

/**
 * A connection that reports its loss instead of ending the process. It names hot statements, so that PostgreSQL parses and
 * plans them once per connection (`plan-mode.ts`). The `begin` of a transaction, and statements whose result nobody reads
 * (`held-statements.ts`), wait for the next statement and are sent with it: a round trip costs more than they do.
 */
export class WatchedClient extends pg.Client {
  #isLost = false
  #isUnlimited = false
  #isInTransaction = false
  readonly #plans = new ConnectionPlans()
  readonly #plansOnce: () => boolean
  /** The statements that wait for the next one. */
  #held: Statement[] = []

  constructor(config?: string | ClientConfig) {
    super(config)
    this.#plansOnce = (typeof config === 'object' && config.plansOnce) || (() => false)
    // The pool listens for errors only on idle connections.
    this.on('error', () => {
      this.#isLost = true
    })
  }

  // biome-ignore lint/suspicious/noExplicitAny: pg declares seven overloads; Kysely uses the two with a text or a cursor.
  override query(...args: any[]): any {
    const [text, values, ...rest] = args
    // biome-ignore lint/suspicious/noExplicitAny: as above
    const send = super.query.bind(this) as any
    if (typeof text === 'string' && rest.length === 0) return this.#query(text, values ?? [], send)
    // On the embedded database, a stream does not see the writes of its transaction either.
    if (this.#held.length > 0) throw new Error('rows are streamed outside of transactions, or in a snapshot')
    const before = this.#planning('each_run')
    if (before.length === 0) return send(...args)
    // A cursor waits until it is sent.
    void sendEach(before, send).finally(() => send(...args))
    return text
  }

  #query(text: string, values: readonly unknown[], send: Send): Promise<Answer> {
    const isUnsent = this.#held[0]?.text === BEGIN
    if (ROLLS_BACK.test(text)) {
      this.#held = []
      this.#plans.forgetMode()
    }
    if (BEGINS.test(text)) this.#isInTransaction = true
    if (ENDS.test(text)) {
      this.#isInTransaction = false
      if (isUnsent && this.#held.length <= 1) {
        this.#held = []
        return unsent(text.toUpperCase())
      }
    }
    const name = preparedName(text)
    const statement = name === undefined ? undefined : { name, text, values }
    if (statement && this.#canWait(statement)) {
      this.#held.push(statement)
      return unsent()
    }
    // Without values, a statement has only one plan.
    const mode = statement && this.#plansOnce() ? 'once' : 'each_run'
    const before = [...(values.length > 0 ? this.#planning(mode) : []), ...this.#takeHeld()]
    if (before.length === 0) return this.#answered(text, statement ? send(statement) : send(text, values))
    return this.#answered(text, answerOf(new PipelinedQuery(before, statement ?? { text, values }), send))
  }

  /** Only a statement that is prepared on this connection: it adds one message, and its answer is known. */
  #canWait({ name, text, values }: Statement): boolean {
    if (!(text === BEGIN || (this.#isInTransaction && isHeldBack(values)))) return false
    return this.#internals.connection.parsedStatements[name] !== undefined
  }

  /** The commands that the server needs before the next statement. The pool has prepared them. */
  #planning(mode: PlanMode): Statement[] {
    return this.#plans.commandsFor(mode).map(prepared)
  }

  #takeHeld(): Statement[] {
    if (this.#held.length === 0) return []
    const held = this.#held
    this.#held = []
    return held
  }

  /** Waits for the answer of the server, with a timeout. */
  async #answered<T>(text: string, answer: Promise<T>): Promise<T> {
    if (LIFTS_LIMIT.test(text)) this.#isUnlimited = true
    const timer = this.#isUnlimited ? undefined : setTimeout(() => this.#drop('no answer'), SILENT_MS)
    try {
      return await waitForDatabase(() => answer)
    } catch (error) {
      this.#plans.forgetMode()
      // A read-only server was the primary before a failover: the next connection can lead to the new primary.
      if ((error as { code?: unknown }).code === '25006') this.#drop('the server is read-only')
      if (this.#isLost && !(error instanceof pg.DatabaseError))
        throw new DatabaseUnavailable('the connection was lost', { cause: error })
      throw error
    } finally {
      clearTimeout(timer)
      if (ENDS.test(text)) this.#isUnlimited = false
    }
  }

  #drop(why: string): void {
    this.#isLost = true
    this.#internals.connection.stream.destroy(new Error(why))
  }

  get #internals(): Internals {
    return this as unknown as Internals
  }
}

const prepared = (text: string): Statement => ({ name: preparedName(text) as string, text, values: [] })

async function sendEach(statements: readonly Statement[], send: Send): Promise<void> {
  for (const statement of statements) await send(statement)
}

const answerOf = (query: PipelinedQuery, send: Send): Promise<Answer> =>
  new Promise((resolve, reject) => {
    query.callback = (error, answer) => (error ? reject(error) : resolve(answer as Answer))
    void send(query)
  })
