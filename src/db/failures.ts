/**
 * The meaning of a database error for the caller. Code outside this folder uses these names instead of codes.
 * - `contention`: other transactions interfered; this one was rolled back and can be retried.
 * - `unavailable`: the database is unreachable, restarting or read-only; the transaction was rolled back.
 * - `unknown`: the connection was lost during a commit; the transaction was either committed or rolled back.
 * - `disk_full`: there was no space for the write; the transaction was rolled back.
 */
export type Failure = 'contention' | 'unavailable' | 'unknown' | 'disk_full'

/** There is no connection to the database, or it was lost. The cause is the driver's error. */
export class DatabaseUnavailable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'DatabaseUnavailable'
  }
}

/** The connection was lost during a commit. Only the data shows whether the commit happened. */
export class CommitUnknown extends Error {
  constructor(cause: unknown) {
    super('the connection was lost during a commit', { cause })
    this.name = 'CommitUnknown'
  }
}

/** Failures by PostgreSQL's SQLSTATE and by SQLite's extended result codes. */
const failures: Record<string, Failure> = {
  // Deadlock, serialization failure, lock timeout, statement timeout.
  '40P01': 'contention',
  '40001': 'contention',
  '55P03': 'contention',
  '57014': 'contention',
  SQLITE_BUSY: 'contention',
  SQLITE_BUSY_RECOVERY: 'contention',
  SQLITE_BUSY_SNAPSHOT: 'contention',
  SQLITE_BUSY_TIMEOUT: 'contention',
  // Shutdown by an administrator, crash, startup, session idle for too long.
  '57P01': 'unavailable',
  '57P02': 'unavailable',
  '57P03': 'unavailable',
  '57P05': 'unavailable',
  '25P03': 'unavailable',
  // Too many connections.
  '53300': 'unavailable',
  // Read-only: the server is a replica.
  '25006': 'unavailable',
  '53100': 'disk_full',
  SQLITE_FULL: 'disk_full',
}

/** Class 08 of SQLSTATE: connection exceptions. */
const CONNECTION_EXCEPTION = /^08...$/

/** The meaning of a database error; undefined if it is not a temporary failure. */
export function failureOf(error: unknown): Failure | undefined {
  if (error instanceof DatabaseUnavailable) return 'unavailable'
  if (error instanceof CommitUnknown) return 'unknown'
  const { code } = Object(error) as { code?: unknown }
  if (typeof code !== 'string') return undefined
  return CONNECTION_EXCEPTION.test(code) ? 'unavailable' : failures[code]
}

/** Whether other transactions interfered: this one was rolled back and can be retried. */
export const isContention = (error: unknown): boolean => failureOf(error) === 'contention'

/** Whether the database is temporarily unavailable, and the statement itself is valid. */
export function isOutage(error: unknown): boolean {
  const failure = failureOf(error)
  return failure !== undefined && failure !== 'contention'
}

/** Whether a transaction that has failed may have been committed: what belongs to it must stay. */
export const mayBeCommitted = (error: unknown): boolean => failureOf(error) === 'unknown'

/** Runs a write that a read request can do without: a full disk does not fail the request. */
export async function unlessDiskFull(write: () => Promise<unknown>): Promise<void> {
  try {
    await write()
  } catch (error) {
    if (failureOf(error) !== 'disk_full') throw error
  }
}

/** A deadlock, of which the transaction is the victim, and a lock for which it does not wait. */
const LOCK_CONFLICTS: readonly unknown[] = ['40P01', '55P03']

/** Whether the transaction was rolled back because others have locks that it needs. */
export const isLockConflict = (error: unknown): boolean =>
  LOCK_CONFLICTS.includes((error as { code?: unknown })?.code)

/** Whether a row with the same key already exists. */
export function isUniqueViolation(error: unknown): boolean {
  const { code, message } = Object(error) as { code?: unknown; message?: unknown }
  // Citus, about rows that it copies to the server of an account.
  if (code === 'XX000') return String(message).startsWith('duplicate key value violates unique constraint')
  return code === '23505' || code === 'SQLITE_CONSTRAINT_UNIQUE' || code === 'SQLITE_CONSTRAINT_PRIMARYKEY'
}
