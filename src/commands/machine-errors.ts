import { ConfigError } from '../config.ts'
import { DatabaseUnavailable } from '../db/failures.ts'

/** Readable reasons by error code. Other errors keep Node's message. */
const reasons: Record<string, string> = {
  ENOENT: 'no such file or folder',
  EACCES: 'permission denied',
  EEXIST: 'a file exists in its place',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of the path is a file',
  ENOSPC: 'the disk is full',
  EROFS: 'the disk is read-only for this program',
}

/**
 * Codes of databases for what only the operator can change: the file, the disk, the connections, the rights of the role, a
 * server that cannot be written to.
 */
const OF_OPERATORS = /^SQLITE_(CANTOPEN|NOTADB|READONLY|FULL|CORRUPT)|^(42501|53...|25006)$/

/** Codes of databases for locks that others have had for longer than a command waits. */
const LOCKED = /^SQLITE_BUSY|^(55P03|40P01|40001)$/

/**
 * The message of an error of a file, a port or a database, for which a stack would not help; undefined for other
 * errors.
 */
export function machineError(error: unknown): string | undefined {
  // A connection attempt to several addresses fails with one error for each.
  if (error instanceof AggregateError && error.errors.length > 0) return machineError(error.errors[0])
  if (error instanceof DatabaseUnavailable) return machineError(error.cause) ?? withCause(error)
  if (!(error instanceof Error)) return undefined
  const { syscall, severity, code, path } = error as Error & Record<string, unknown>
  const name = String(code)
  if (typeof syscall === 'string') {
    const reason = reasons[name]
    return reason && typeof path === 'string' ? `${path}: ${reason}.` : error.message
  }
  if (name.startsWith('SQLITE_IOERR')) return `${error.message}: the disk is full or faulty.`
  if (LOCKED.test(name))
    return `${error.message}: another program uses the same data, such as a backup. Repeat the command when it has ended.`
  return severity === 'FATAL' || OF_OPERATORS.test(name) ? error.message : undefined
}

/** Codes of TLS for a certificate whose authority is not known. The message of Node recommends an option of Node. */
const UNKNOWN_AUTHORITY = /^(UNABLE_TO_(VERIFY|GET)_|SELF_SIGNED_CERT_|DEPTH_ZERO_SELF_SIGNED_)/

/** A driver gives no code of its own to some reasons, such as a certificate that it does not accept. */
function withCause({ message, cause }: Error): string {
  if (!(cause instanceof Error && cause.message)) return message
  return UNKNOWN_AUTHORITY.test(String((cause as Error & { code?: unknown }).code))
    ? `${message}: its certificate is not signed by a known authority. Name the file of the authority in sslrootcert=FILE.`
    : `${message}: ${cause.message}`
}

/** Runs the work. A system error becomes a ConfigError that names the setting or operand. */
export async function naming<T>(name: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const reason = machineError(error)
    throw reason === undefined ? error : new ConfigError(`${name}: ${reason}`, { cause: error })
  }
}
