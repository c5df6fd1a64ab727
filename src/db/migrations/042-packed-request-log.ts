import { sql } from 'kysely'
import { isPostgres } from '../dialect.ts'
import { requestLogStatements } from '../request-log-table.ts'
import type { Migration } from './migration.ts'

/** The request log is stored compressed. Its rows are not worth a migration, as those of the embedded database (Q3). */
export const packedRequestLog: Migration = {
  name: '042-packed-request-log',
  counted: [],
  statements: [],
  fill: async (tx) => {
    if (!isPostgres(tx)) return
    for (const statement of ['drop table request_batches', ...requestLogStatements('postgres')])
      await sql.raw(statement).execute(tx)
  },
}
