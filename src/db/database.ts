import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Driver, Kysely, PostgresDialect, type Transaction } from 'kysely'
import pg from 'pg'
import Cursor from 'pg-cursor'
import type { Config } from '../config.ts'
import { noteCommit } from './commits.ts'
import { directReads, preparedName } from './prepared.ts'
import { GroupingDriver, sqliteDialect } from './sqlite-driver.ts'
import type { Tables } from './tables.ts'

/** A handle to read with. A transaction will do too. */
export type Db = Kysely<Tables>
/** A handle to write with: it exists only inside a transaction. */
export type Tx = Transaction<Tables>

export interface OpenOptions {
  /** Called when a commit ends in an I/O error: nobody can say whether it happened, so the program must stop. */
  onCommitFailure: (error: unknown) => void
}

/** Opens PostgreSQL when DATABASE_URL names one, else the embedded database in the data folder. */
export function openDatabase(config: Pick<Config, 'database_url' | 'data_dir'>, options: OpenOptions): Db {
  if (config.database_url) return openPostgres(config.database_url)
  mkdirSync(config.data_dir, { recursive: true, mode: 0o700 })
  const file = join(config.data_dir, 'patchbay.db')
  const onOpen = () => directReads.set(db, (sql, parameters) => driver.read(sql, parameters))
  const driver = new GroupingDriver({ file, ...options, onOpen })
  const db: Db = new Kysely<Tables>({ dialect: sqliteDialect(driver) })
  return db
}

// Counts and ids are far below 2^53: they are numbers here as they are on the wire.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

function openPostgres(connectionString: string): Db {
  const pool = new pg.Pool({
    connectionString,
    max: 10,
    statement_timeout: 5_000,
    lock_timeout: 2_000,
    idle_in_transaction_session_timeout: 10_000,
    connectionTimeoutMillis: 5_000,
    // A page is too little to start processes for, and they would be taken from other requests.
    options: '-c max_parallel_workers_per_gather=0',
    Client: NamingClient,
  })
  // A connection that breaks while idle is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => {})
  const db = new Kysely<Tables>({ dialect: new WatchedPostgres({ pool, cursor: Cursor }) })
  directReads.set(db, async (sql, parameters) => (await pool.query(sql, [...parameters])).rows)
  return db
}

class WatchedPostgres extends PostgresDialect {
  override createDriver(): Driver {
    const driver = super.createDriver()
    const commit = driver.commitTransaction.bind(driver)
    driver.commitTransaction = (connection) => {
      noteCommit()
      return commit(connection)
    }
    return driver
  }
}

/** Sends the hot statements under a name, so that PostgreSQL parses and plans them once a connection. */
class NamingClient extends pg.Client {
  // biome-ignore lint/suspicious/noExplicitAny: pg declares seven overloads; only the one that Kysely uses is changed.
  override query(...args: any[]): any {
    const [text, values, ...rest] = args
    const name = typeof text === 'string' ? preparedName(text) : undefined
    // biome-ignore lint/suspicious/noExplicitAny: as above
    const send = super.query.bind(this) as any
    return name ? send({ name, text, values }, ...rest) : send(...args)
  }
}
