/**
 * What an error of the database means for the one who asked. Everything outside this folder asks here and knows no codes.
 *
 * - `contention`: others were in the way; the transaction was undone, and may do as well the next time.
 * - `unavailable`: the database cannot be reached, restarts, or takes no writes; the transaction was undone.
 * - `unknown`: the connection was lost during a commit; the transaction was kept whole or undone whole.
 * - `disk_full`: there is no room for what was to be written; the transaction was undone.
 */
export type Failure = 'contention' | 'unavailable' | 'unknown' | 'disk_full'

/** There is no connection to the database, or the one in use was lost. The cause is the driver's own error. */
export class DatabaseUnavailable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'DatabaseUnavailable'
  }
}

/** The connection was lost during a commit. Only the data can tell whether it was done. */
export class CommitUnknown extends Error {
  constructor(cause: unknown) {
    super('the connection was lost during a commit', { cause })
    this.name = 'CommitUnknown'
  }
}

/** By code: PostgreSQL's SQLSTATE, and the extended result codes of SQLite. */
const failures: Record<string, Failure> = {
  // A deadlock, a transaction that others overtook, a lock and a statement that took too long.
  '40P01': 'contention',
  '40001': 'contention',
  '55P03': 'contention',
  '57014': 'contention',
  SQLITE_BUSY: 'contention',
  SQLITE_BUSY_RECOVERY: 'contention',
  SQLITE_BUSY_SNAPSHOT: 'contention',
  SQLITE_BUSY_TIMEOUT: 'contention',
  // An administrator stops it, it crashed, it starts, a session was idle for too long.
  '57P01': 'unavailable',
  '57P02': 'unavailable',
  '57P03': 'unavailable',
  '57P05': 'unavailable',
  '25P03': 'unavailable',
  // Too many connections.
  '53300': 'unavailable',
  // Read only: the server became a replica, or is one.
  '25006': 'unavailable',
  '53100': 'disk_full',
  SQLITE_FULL: 'disk_full',
}

/** Class 08 of SQLSTATE: connection exceptions. */
const CONNECTION_EXCEPTION = /^08...$/

/** The meaning of a database error, or undefined if it is not a temporary failure. */
export function failureOf(error: unknown): Failure | undefined {
  if (error instanceof DatabaseUnavailable) return 'unavailable'
  if (error instanceof CommitUnknown) return 'unknown'
  const { code } = Object(error) as { code?: unknown }
  if (typeof code !== 'string') return undefined
  return CONNECTION_EXCEPTION.test(code) ? 'unavailable' : failures[code]
}

/** Whether an error says that others were in the way: the transaction was undone, and may do as well the next time. */
export const isContention = (error: unknown): boolean => failureOf(error) === 'contention'

/** Whether an error says that the database is away for now: nothing is wrong with what was asked of it. */
export function isOutage(error: unknown): boolean {
  const failure = failureOf(error)
  return failure !== undefined && failure !== 'contention'
}

/** Does a write that whoever reads can do without: a full disk does not keep them from reading. */
export async function unlessDiskFull(write: () => Promise<unknown>): Promise<void> {
  try {
    await write()
  } catch (error) {
    if (failureOf(error) !== 'disk_full') throw error
  }
}

/** Whether a transaction was undone because it and another one waited for each other: the other one goes on. */
export const isDeadlock = (error: unknown): boolean => (error as { code?: unknown })?.code === '40P01'

/** Whether an error says that a row with the same key exists already. */
export function isUniqueViolation(error: unknown): boolean {
  const code = (error as { code?: unknown })?.code
  return code === '23505' || code === 'SQLITE_CONSTRAINT_UNIQUE' || code === 'SQLITE_CONSTRAINT_PRIMARYKEY'
}
