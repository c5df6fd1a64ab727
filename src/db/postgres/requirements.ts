import { sql } from 'kysely'
import { OperatorError } from '../../errors.ts'
import type { Tx } from '../database.ts'
import { isPostgres } from '../dialect.ts'

const OLDEST = 15

/** A PostgreSQL that cannot hold the data of this program. */
class UnsuitableDatabaseError extends OperatorError {
  override name = 'UnsuitableDatabaseError'
}

/**
 * Refuses a new database that could not store every text, or whose PostgreSQL is too old: otherwise the server would start,
 * and requests would fail. An installation in a system without a locale has databases of the encoding SQL_ASCII.
 */
export async function requireSuitable(tx: Tx): Promise<void> {
  if (!isPostgres(tx)) return
  const { rows } = await sql<{ encoding: string; version: string; number: number }>`select
    current_setting('server_encoding') as encoding, current_setting('server_version') as version,
    current_setting('server_version_num')::int as number`.execute(tx)
  const [{ encoding, version, number }] = rows as [(typeof rows)[0]]
  if (number < OLDEST * 10_000)
    throw new UnsuitableDatabaseError(`PostgreSQL is version ${version}; it must be ${OLDEST} or later.`)
  if (encoding !== 'UTF8')
    throw new UnsuitableDatabaseError(
      `The database has the encoding ${encoding}; it must be UTF8: create database patchbay encoding 'UTF8' template template0`,
    )
}
