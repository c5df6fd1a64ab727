import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import type { Kysely } from 'kysely'
import type { Config } from '../config.ts'
import type { Db } from './database.ts'
import { isPostgres } from './dialect.ts'
import { REQUEST_LOG_FORM, type RequestLogTables, requestLogStatements } from './request-log-table.ts'
import { sqliteDialect } from './sqlite/sqlite-dialect.ts'
import { GroupingDriver } from './sqlite/sqlite-driver.ts'
import { Database } from './transactions.ts'

/** The store of the request log (Q3). Nothing in it is needed to run, and it is not part of a backup. */
export type RequestLogDb = Kysely<RequestLogTables>

/** The file of the request log of the embedded database. */
export const requestLogFile = ({ data_dir }: Pick<Config, 'data_dir'>): string =>
  join(data_dir, 'request-log.db')

/** Opens the store: the database itself on PostgreSQL, otherwise a file beside the embedded database. */
export function openRequestLogDatabase(config: Pick<Config, 'data_dir'>, db: Db): RequestLogDb {
  if (isPostgres(db)) return db as unknown as RequestLogDb
  const file = requestLogFile(config)
  prepareFile(file)
  const driver = new GroupingDriver({ file, synchronous: 'OFF', onCommitFailure: () => {} })
  return new Database<RequestLogTables>(sqliteDialect(driver))
}

function prepareFile(file: string): void {
  const sqlite = new Sqlite(file, { timeout: 5000 })
  try {
    // Batches are large. The size of a page can be set only for a new file.
    sqlite.pragma('page_size = 16384')
    sqlite.pragma('journal_mode = WAL')
    sqlite.pragma('synchronous = OFF')
    const create = sqlite.transaction(() => {
      if (sqlite.pragma('user_version', { simple: true }) === REQUEST_LOG_FORM) return
      sqlite.exec('drop table if exists request_batches')
      for (const statement of requestLogStatements('sqlite')) sqlite.exec(statement)
      sqlite.pragma(`user_version = ${REQUEST_LOG_FORM}`)
    })
    create.immediate()
  } finally {
    sqlite.close()
  }
}
