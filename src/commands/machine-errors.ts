import { ConfigError } from '../config.ts'
import { DatabaseUnavailable } from '../db/failures.ts'

/** Reasons that the reader of an error can act on, by error code. Other errors keep Node's own message. */
const reasons: Record<string, string> = {
  ENOENT: 'there is no such file or folder',
  EACCES: 'this user has no permission for it',
  EEXIST: 'there is a file in its place',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is a file',
  ENOSPC: 'the disk is full',
  EROFS: 'the disk is read-only',
}

/**
 * The sentence of an error that a file, a port or a database gave: our stack would say nothing more. Undefined for
 * every other error.
 */
export function machineError(error: unknown): string | undefined {
  // A connection that was tried at several addresses fails with one error for each.
  if (error instanceof AggregateError && error.errors.length > 0) return machineError(error.errors[0])
  if (error instanceof DatabaseUnavailable) return machineError(error.cause) ?? error.message
  if (!(error instanceof Error)) return undefined
  const { syscall, severity, code, path } = error as Error & Record<string, unknown>
  if (typeof syscall === 'string') {
    const reason = reasons[String(code)]
    return reason && typeof path === 'string' ? `${path}: ${reason}.` : error.message
  }
  return severity === 'FATAL' || /^SQLITE_(CANTOPEN|NOTADB|READONLY)/.test(String(code))
    ? error.message
    : undefined
}

/** Runs the work. An error of the machine becomes a ConfigError that names what it is about: a setting, or an operand. */
export async function naming<T>(name: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const reason = machineError(error)
    throw reason === undefined ? error : new ConfigError(`${name}: ${reason}`, { cause: error })
  }
}
