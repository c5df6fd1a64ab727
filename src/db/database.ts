import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { Kysely, type Transaction } from 'kysely'
import type { Config } from '../config.ts'
import { pools } from './pools.ts'
import { openPostgres } from './postgres.ts'
import { directReads } from './prepared.ts'
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

const fileIn = (data_dir: string): string => join(data_dir, 'patchbay.db')

/** Whether the data folder holds the embedded database. */
export const hasDatabaseFile = ({ data_dir }: Pick<Config, 'data_dir'>): boolean =>
  existsSync(fileIn(data_dir))

/** Opens PostgreSQL when DATABASE_URL names one, else the embedded database in the data folder. */
export function openDatabase(config: Pick<Config, 'database_url' | 'data_dir'>, options: OpenOptions): Db {
  if (config.database_url) return openPostgres(config.database_url)
  mkdirSync(config.data_dir, { recursive: true, mode: 0o700 })
  const file = fileIn(config.data_dir)
  const onOpen = () => directReads.set(db, (sql, parameters) => driver.read(sql, parameters))
  const driver = new GroupingDriver({ file, ...options, onOpen })
  const db: Db = new Kysely<Tables>({ dialect: sqliteDialect(driver) })
  pools.set(db, () => driver.pool)
  return db
}
