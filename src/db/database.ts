import type { Kysely, Transaction } from 'kysely'
import type { Config } from '../config.ts'
import { isThere } from '../folders.ts'
import { backgroundFiles, checkpointInBackground, closeBackgroundReads } from './background-reads.ts'
import { pools } from './pools.ts'
import { openPostgres } from './postgres/postgres.ts'
import { directReads } from './prepared.ts'
import { sqliteDialect } from './sqlite/sqlite-dialect.ts'
import { GroupingDriver } from './sqlite/sqlite-driver.ts'
import { fileIn, prepareFolder } from './sqlite/sqlite-file.ts'
import type { Tables } from './tables.ts'
import { Database } from './transactions.ts'
import type { WriteLock } from './write-lock.ts'

/** A handle for reading; a transaction is one too. */
export type Db = Kysely<Tables>
/** A handle for writing: it exists only within a transaction. */
export type Tx = Transaction<Tables>

export interface OpenOptions {
  /** Called when a commit fails with an I/O error: its outcome is unknown, so the program must stop. */
  onCommitFailure: (error: unknown) => void
  /** See SqliteOptions. */
  lock?: WriteLock | undefined
}

/** Whether the data folder holds the embedded database. Throws a system error if this user may not know. */
export const hasDatabaseFile = ({ data_dir }: Pick<Config, 'data_dir'>): boolean => isThere(fileIn(data_dir))

const drivers = new WeakMap<Db, GroupingDriver>()

/**
 * Keeps the pages that a later transaction changes in memory until it ends, in case it is rolled back, and not in a temporary
 * file. Called after the migrations: these can change as much as the file has, a request only little (S50).
 */
export function keepJournalInMemory(db: Db): void {
  drivers.get(db)?.keepJournalInMemory()
}

/** Pages of the log that are copied on a thread: 8 MiB, so that little is left when the writer begins the log again. */
const CHECKPOINT_PAGES = 2_048

/** Opens PostgreSQL if DATABASE_URL is set, otherwise the embedded database in the data folder. */
export function openDatabase(config: Pick<Config, 'database_url' | 'data_dir'>, options: OpenOptions): Db {
  if (config.database_url) return openPostgres(config.database_url)
  prepareFolder(config.data_dir)
  const file = fileIn(config.data_dir)
  const onOpen = () => directReads.set(db, (query) => driver.read(query))
  const onCommit = (waiting_pages: number) => {
    if (waiting_pages >= CHECKPOINT_PAGES) void checkpointInBackground(file)
  }
  const driver = new GroupingDriver({
    file,
    ...options,
    onOpen,
    onCommit,
    onClose: () => closeBackgroundReads(file),
  })
  const db: Db = new Database<Tables>(sqliteDialect(driver))
  pools.set(db, () => driver.pool)
  drivers.set(db, driver)
  backgroundFiles.set(db, file)
  return db
}
