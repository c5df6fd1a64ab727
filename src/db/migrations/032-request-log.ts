import { sql } from 'kysely'
import { isPostgres } from '../dialect.ts'
import { requestLogStatements } from '../request-log-table.ts'
import type { Migration } from './migration.ts'

/**
 * The setting of the request log of an account; null means that of the mode of the server. On PostgreSQL the log itself
 * is a table beside the data. The embedded database has a file of its own for it.
 */
export const requestLog: Migration = {
  name: '032-request-log',
  counted: [],
  statements: [
    'alter table accounts add column is_request_log_on bigint',
    'alter table accounts add column request_log_days bigint not null default 3',
    'alter table accounts add column keeps_request_bodies bigint not null default 1',
  ],
  fill: async (tx) => {
    if (!isPostgres(tx)) return
    for (const statement of requestLogStatements('postgres')) await sql.raw(statement).execute(tx)
  },
}
