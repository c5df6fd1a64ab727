import { AsyncLocalStorage } from 'node:async_hooks'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
  type TransactionSettings,
} from 'kysely'
import { failureOf } from './failures.ts'

/**
 * A unit of work: the transactions of one request, committed as one. The first one opens the database transaction.
 * From then on, each transaction of the unit is a savepoint, and reads outside of them also use the unit's
 * connection. So the response to a request can be stored together with its change.
 *
 * An open unit keeps SQLite's single writer. Like a transaction, it must wait only for the database, and is rolled
 * back if it takes too long.
 */

/** The longest time in milliseconds that a unit can be open. */
const LONGEST_MS = 30_000

const units = new AsyncLocalStorage<Unit>()

/** Runs the action when the open unit commits; immediately if there is none. */
export function afterCommit(act: () => void): void {
  const unit = openUnit()
  if (unit) unit.followers.push(act)
  else act()
}

/** The open unit of this async context; its writes are invisible to others. */
export function openUnit(): Unit | undefined {
  const unit = units.getStore()
  return unit?.state === 'open' ? unit : undefined
}

export class Unit {
  /** `ended`: later work is not part of it. `late`: later work fails. */
  state: 'new' | 'open' | 'ended' | 'late' = 'new'
  readonly followers: (() => void)[] = []
  readonly #opening: () => Promise<void>
  #driver: Driver | undefined
  #connection: DatabaseConnection | undefined
  #last: Promise<unknown> = Promise.resolve()
  #turn = Promise.withResolvers<void>()
  #giveTurn = () => this.#turn.resolve()
  #timer: NodeJS.Timeout | undefined
  #isBroken = false

  /** `opening` is the first action of an open unit. If it throws, the unit is new again. */
  constructor(opening: () => Promise<void>) {
    this.#opening = opening
    this.#turn.resolve()
  }

  /** Runs the work and everything that it starts asynchronously within the unit. */
  run<T>(work: () => T): T {
    return units.run(this, work)
  }

  /** Commits the unit. Throws the database's error; then nothing was committed, or the outcome is unknown. */
  async commit(): Promise<void> {
    if (this.state === 'late') throw new Error('the unit of work was open for too long')
    if (this.state !== 'open') return
    const [driver, connection] = this.#end('ended')
    try {
      if (this.#isBroken) throw new Error('could not roll back a part of the unit of work')
      await driver.commitTransaction(connection)
    } catch (error) {
      await driver.rollbackTransaction(connection)
      throw error
    } finally {
      await driver.releaseConnection(connection)
    }
    for (const act of this.followers) act()
  }

  /** Rolls back the unit. */
  async rollback(end: 'new' | 'ended' | 'late' = 'ended'): Promise<void> {
    if (this.state !== 'open') return
    const [driver, connection] = this.#end(end)
    try {
      await driver.rollbackTransaction(connection)
    } finally {
      await driver.releaseConnection(connection)
    }
  }

  /** For the driver: opens the database transaction on a connection, which then belongs to the unit. */
  async open(driver: Driver, connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    try {
      await driver.beginTransaction(connection, settings)
    } catch (error) {
      await driver.releaseConnection(connection)
      throw error
    }
    this.#driver = driver
    this.#connection = connection
    this.state = 'open'
    this.#timer = setTimeout(() => this.rollback('late').catch(() => {}), LONGEST_MS)
    try {
      await this.#opening()
    } catch (error) {
      await this.rollback('new')
      throw error
    }
  }

  /** Parts run sequentially. Resolves when it is the caller's turn. */
  async takeTurn(): Promise<void> {
    const before = this.#turn.promise
    this.#turn = Promise.withResolvers()
    const { resolve } = this.#turn
    await before
    this.#giveTurn = resolve
  }

  giveTurn(): void {
    this.#giveTurn()
  }

  /** Statements run sequentially: there is one connection. */
  query<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const answer = this.#last.then(() => this.connection.executeQuery<R>(query))
    this.#last = answer.catch(() => {})
    return answer
  }

  get connection(): DatabaseConnection {
    if (this.state !== 'open') throw new Error('the unit of work has ended')
    return this.#connection as DatabaseConnection
  }

  /** If a part cannot be rolled back alone, the whole unit is. */
  async rollbackPart(): Promise<void> {
    try {
      await this.query(rollbackTo)
      await this.query(release)
    } catch (error) {
      this.#isBroken = true
      // The failed statement has reported why the transaction ended.
      if (this.state === 'open' && failureOf(error) === undefined && !isGone(error)) throw error
    }
  }

  #end(state: Unit['state']): [Driver, DatabaseConnection] {
    clearTimeout(this.#timer)
    this.state = state
    return [this.#driver as Driver, this.#connection as DatabaseConnection]
  }
}

const savepoint = CompiledQuery.raw('savepoint unit_part')
const rollbackTo = CompiledQuery.raw('rollback to savepoint unit_part')
const release = CompiledQuery.raw('release savepoint unit_part')
/** SQLite ends a transaction by itself if the disk is full. */
const isGone = (error: unknown): boolean => /no such savepoint/.test((error as Error).message)

/** The connection for statements within a unit: their own, or the unit's. */
class LentConnection implements DatabaseConnection {
  readonly unit: Unit
  own: DatabaseConnection | undefined
  isPart = false

  constructor(unit: Unit, own?: DatabaseConnection) {
    this.unit = unit
    this.own = own
  }

  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return this.own ? this.own.executeQuery(query) : this.unit.query(query)
  }

  streamQuery<R>(query: CompiledQuery, chunkSize: number): AsyncIterableIterator<QueryResult<R>> {
    return (this.own ?? this.unit.connection).streamQuery(query, chunkSize)
  }
}

/** Wraps a driver so that transactions within a unit become parts of it; all others are passed through. */
export function unitingDriver(driver: Driver): Driver {
  return {
    init: (options) => driver.init(options),
    destroy: (options) => driver.destroy(options),
    acquireConnection: (options) => acquire(driver, options),
    beginTransaction: (connection, settings) =>
      connection instanceof LentConnection
        ? begin(driver, connection, settings)
        : driver.beginTransaction(connection, settings),
    commitTransaction: (connection) => end(driver, connection, 'commitTransaction', commitPart),
    rollbackTransaction: (connection) => end(driver, connection, 'rollbackTransaction', rollbackPart),
    releaseConnection: async (connection, options) => {
      if (!(connection instanceof LentConnection)) return driver.releaseConnection(connection, options)
      if (connection.own) await driver.releaseConnection(connection.own, options)
    },
    ...(driver.savepoint && { savepoint: driver.savepoint.bind(driver) }),
    ...(driver.rollbackToSavepoint && { rollbackToSavepoint: driver.rollbackToSavepoint.bind(driver) }),
    ...(driver.releaseSavepoint && { releaseSavepoint: driver.releaseSavepoint.bind(driver) }),
  }
}

async function acquire(
  driver: Driver,
  options: Parameters<Driver['acquireConnection']>[0],
): Promise<DatabaseConnection> {
  const unit = units.getStore()
  if (!unit || unit.state === 'ended') return driver.acquireConnection(options)
  if (unit.state === 'late') throw new Error('the unit of work was open for too long')
  return unit.state === 'open'
    ? new LentConnection(unit)
    : new LentConnection(unit, await driver.acquireConnection(options))
}

async function begin(driver: Driver, lent: LentConnection, settings: TransactionSettings): Promise<void> {
  const { unit } = lent
  // A snapshot writes nothing, so it is not part of the unit.
  if (settings.accessMode === 'read only') {
    lent.own ??= await driver.acquireConnection()
    return driver.beginTransaction(lent.own, settings)
  }
  await unit.takeTurn()
  try {
    if (unit.state === 'new') {
      const connection = lent.own ?? (await driver.acquireConnection())
      // The unit owns the connection from now on, also if opening it fails.
      lent.own = undefined
      await unit.open(driver, connection, settings)
    } else if (lent.own) {
      // Another part has opened the unit since this connection was acquired.
      const { own } = lent
      lent.own = undefined
      await driver.releaseConnection(own)
    }
    await unit.query(savepoint)
    lent.isPart = true
  } catch (error) {
    unit.giveTurn()
    throw error
  }
}

/** Ends a part of a unit, or a transaction of the driver. */
async function end(
  driver: Driver,
  connection: DatabaseConnection,
  how: 'commitTransaction' | 'rollbackTransaction',
  endPart: (lent: LentConnection) => Promise<void>,
): Promise<void> {
  if (!(connection instanceof LentConnection)) return driver[how](connection)
  if (connection.isPart) await endPart(connection)
  else if (connection.own) await driver[how](connection.own)
}

/** If this fails, the part is rolled back next. */
async function commitPart(lent: LentConnection): Promise<void> {
  await lent.unit.query(release)
  leave(lent)
}

async function rollbackPart(lent: LentConnection): Promise<void> {
  try {
    await lent.unit.rollbackPart()
  } finally {
    leave(lent)
  }
}

function leave(lent: LentConnection): void {
  lent.isPart = false
  lent.unit.giveTurn()
}
