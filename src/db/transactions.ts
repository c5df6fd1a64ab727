import {
  type AccessMode,
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type IsolationLevel,
  isAbortedTransactionError,
  Kysely,
  type KyselyPlugin,
  type KyselyProps,
  type QueryExecutor,
  type QueryResult,
  Transaction,
  TransactionBuilder,
  type TransactionSettings,
} from 'kysely'

/** A connection that can also answer at once, without a promise. */
export interface PromptConnection extends DatabaseConnection {
  run<R>(query: CompiledQuery<R>): QueryResult<R> | Promise<QueryResult<R>>
}

/**
 * Kysely with transactions that pass a statement directly to the driver. In Kysely's own ones, a statement makes four
 * executors and waits for a dozen promises, which costs as much as a look-up.
 */
export class Database<Tables> extends Kysely<Tables> {
  readonly #parts: KyselyProps

  constructor(dialect: Dialect) {
    const { driver, ...own } = keepingDriver(dialect)
    super({ dialect: own })
    this.#parts = { config: { dialect: own }, dialect: own, driver: driver(), executor: this.getExecutor() }
  }

  override transaction(): TransactionBuilder<Tables> {
    return new DirectTransactionBuilder(this.#parts, {})
  }
}

/** The dialect, with access to the driver that Kysely creates. */
function keepingDriver(dialect: Dialect): Dialect & { driver: () => Driver } {
  let driver: Driver | undefined
  return {
    createAdapter: () => dialect.createAdapter(),
    createDriver: () => {
      driver = dialect.createDriver()
      return driver
    },
    createIntrospector: (db) => dialect.createIntrospector(db),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    driver: () => driver as Driver,
  }
}

class DirectTransactionBuilder<Tables> extends TransactionBuilder<Tables> {
  readonly #parts: KyselyProps
  readonly #settings: TransactionSettings

  constructor(parts: KyselyProps, settings: TransactionSettings) {
    super(parts)
    this.#parts = parts
    this.#settings = settings
  }

  override setAccessMode(accessMode: AccessMode): TransactionBuilder<Tables> {
    return new DirectTransactionBuilder(this.#parts, { ...this.#settings, accessMode })
  }

  override setIsolationLevel(isolationLevel: IsolationLevel): TransactionBuilder<Tables> {
    return new DirectTransactionBuilder(this.#parts, { ...this.#settings, isolationLevel })
  }

  override execute<T>(callback: (tx: Transaction<Tables>) => Promise<T>): Promise<T> {
    const { config, dialect, driver, executor } = this.#parts
    return executor.provideConnection(async (connection) => {
      await driver.beginTransaction(connection, this.#settings)
      const own = new TransactionExecutor(executor, connection)
      try {
        const result = await callback(new Transaction<Tables>({ config, dialect, driver, executor: own }))
        await own.end()
        await driver.commitTransaction(connection)
        return result
      } catch (error) {
        await own.end()
        // The database has rolled it back by itself.
        if (!isAbortedTransactionError(error)) await driver.rollbackTransaction(connection)
        throw error
      }
    })
  }
}

/** Runs the statements of a transaction on its connection, one after the other. */
export class TransactionExecutor implements QueryExecutor {
  readonly #outside: QueryExecutor
  readonly #connection: DatabaseConnection
  readonly #prompt: PromptConnection | undefined
  /** The statement that runs now, unless it was answered at once. */
  #running: Promise<unknown> | undefined
  #hasEnded = false

  /** `outside` is the executor of statements outside of transactions. */
  constructor(outside: QueryExecutor, connection: DatabaseConnection) {
    this.#outside = outside
    this.#connection = connection
    this.#prompt = 'run' in connection ? (connection as PromptConnection) : undefined
  }

  /**
   * Refuses the statements that wait, and later ones, and resolves when the one that runs has its result: a statement
   * that is sent beside the end of the transaction would run after it, and stay.
   */
  async end(): Promise<void> {
    this.#hasEnded = true
    await this.#running?.catch(() => {})
  }

  get adapter(): QueryExecutor['adapter'] {
    return this.#outside.adapter
  }

  get plugins(): QueryExecutor['plugins'] {
    return this.#outside.plugins
  }

  readonly transformQuery: QueryExecutor['transformQuery'] = (node, queryId) =>
    this.#outside.transformQuery(node, queryId)

  readonly compileQuery: QueryExecutor['compileQuery'] = (node, queryId) =>
    this.#outside.compileQuery(node, queryId)

  /** The result, at once if the connection can. */
  run<R>(query: CompiledQuery<R>): QueryResult<R> | Promise<QueryResult<R>> {
    if (!this.#prompt || this.#running) return this.executeQuery(query)
    this.#requireOpen()
    const result = this.#prompt.run(query)
    return result instanceof Promise ? this.#follow(result) : result
  }

  async executeQuery<R>(query: CompiledQuery<R>): Promise<QueryResult<R>> {
    return this.provideConnection((connection) => connection.executeQuery<R>(query))
  }

  async provideConnection<T>(consumer: (connection: DatabaseConnection) => Promise<T>): Promise<T> {
    this.#requireOpen()
    while (this.#running) await this.#running.catch(() => {})
    this.#requireOpen()
    return this.#follow(consumer(this.#connection))
  }

  #follow<T>(running: Promise<T>): Promise<T> {
    const done = () => {
      this.#running = undefined
    }
    this.#running = running
    // Before the waiting statements look, because they wait later.
    running.then(done, done)
    return running
  }

  #requireOpen(): void {
    if (this.#hasEnded) throw new Error('the transaction has ended')
  }

  stream<R>(query: CompiledQuery<R>, chunkSize: number): AsyncIterableIterator<QueryResult<R>> {
    return this.#asKysely().stream(query, chunkSize)
  }

  withConnectionProvider: QueryExecutor['withConnectionProvider'] = (provider) =>
    this.#outside.withConnectionProvider(provider)

  withPlugin(plugin: KyselyPlugin): QueryExecutor {
    return this.#asKysely().withPlugin(plugin)
  }

  withPlugins(plugins: readonly KyselyPlugin[]): QueryExecutor {
    return this.#asKysely().withPlugins(plugins)
  }

  withPluginAtFront(plugin: KyselyPlugin): QueryExecutor {
    return this.#asKysely().withPluginAtFront(plugin)
  }

  withoutPlugins(): QueryExecutor {
    return this.#asKysely().withoutPlugins()
  }

  #asKysely(): QueryExecutor {
    return this.#outside.withConnectionProvider(this)
  }
}
