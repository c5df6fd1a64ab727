import { Refusal } from '../../errors.ts'
import type { Db } from '../database.ts'
import { DatabaseUnavailable, isOutage } from '../failures.ts'
import { haveSameCheck } from '../master-key.ts'
import { isMigrated } from '../migrate.ts'
import { openPostgres } from './postgres.ts'

/**
 * A replica of the database on PostgreSQL, for long reads that can miss the last seconds. Callers, their
 * rights and everything else that a request must see at once are read from the database itself.
 */
export interface Replicated {
  db: Db
  /** Null if there is none. */
  replica: Db | null
}

export const openReplica = (url: string): Db => openPostgres(url, 'reader')

/** Seconds. */
const RETRY_AFTER = 30

/**
 * The database for a long read: the replica if there is one. Throws Refusal('unavailable') if it cannot be read, and does not
 * fall back to the database (S41).
 */
export async function readsFor(ctx: Replicated): Promise<Db> {
  try {
    await checkReplica(ctx)
  } catch (cause) {
    throw new Refusal('unavailable', 'The database for exports cannot be read. Repeat the request later.', {
      code: 'database_unavailable',
      retry_after: RETRY_AFTER,
      cause,
    })
  }
  return ctx.replica ?? ctx.db
}

/** Throws DatabaseUnavailable with the reason if there is a replica that cannot be read. */
export async function checkReplica({ db, replica }: Replicated): Promise<void> {
  if (!replica) return
  const fault = await faultOf(db, replica).catch((error) => {
    if (isOutage(error)) throw error
    const { message } = error as Error
    throw new DatabaseUnavailable(`it is not a copy of the database: ${message}`, { cause: error })
  })
  if (fault) throw new DatabaseUnavailable(fault)
}

/** One statement after the other: after an outage, the first one alone finds out that the replica is back. */
async function faultOf(db: Db, replica: Db): Promise<string | undefined> {
  if (!(await isMigrated(replica))) return 'it has not received the migrations of this version yet'
  if (!(await haveSameCheck(db, replica))) return 'it is not a copy of the database of DATABASE_URL'
  return undefined
}
