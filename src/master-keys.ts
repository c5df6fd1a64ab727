import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { ConfigError } from './config.ts'
import { writeDurably } from './files/durable-file.ts'
import { isThere } from './folders.ts'

/** The master key, and the one before it while the key is changed. */
export interface MasterKeys {
  present: Buffer
  previous: Buffer | null
}

/** The variables of the environment that state master keys. They take precedence over the files. */
export type KeyVariables = Partial<Record<'MASTER_KEY' | 'MASTER_KEY_PREVIOUS', string>>

/** The file of the previous key, beside that of the master key. */
export const previousKeyFile = (file: string): string => `${file}.previous`

/**
 * Reads the master keys from the environment or the files; `create` creates the file of the master key (0600) if there is
 * none. Throws ConfigError if there is no key, or if one is not 32 bytes.
 */
export function readMasterKeys(env: KeyVariables, file: string, create: boolean): MasterKeys {
  // First, because a change writes the other file before it replaces this one.
  const present = readMasterKey(env.MASTER_KEY, file, create)
  const before = previousKeyFile(file)
  if (env.MASTER_KEY_PREVIOUS)
    return { present, previous: decodeKey(env.MASTER_KEY_PREVIOUS, 'MASTER_KEY_PREVIOUS') }
  const isBeside = !env.MASTER_KEY && isThere(before)
  return { present, previous: isBeside ? decodeKey(readFileSync(before, 'utf8'), before) : null }
}

/** The files of master keys that are in use and that other users of the machine can read. */
export function readableKeyFiles(env: KeyVariables, file: string): string[] {
  if (env.MASTER_KEY) return []
  const files = env.MASTER_KEY_PREVIOUS ? [file] : [file, previousKeyFile(file)]
  return files.filter((one) => ((statSync(one, { throwIfNoEntry: false })?.mode ?? 0) & OTHERS_READ) !== 0)
}

/** The bits of a mode with which the group or everybody reads a file. */
const OTHERS_READ = 0o044

/**
 * Reads the master key from the environment or the file; `create` creates the file (0600) if neither exists. Throws
 * ConfigError if there is no key, or if it is not 32 bytes.
 */
export function readMasterKey(fromEnvironment: string | undefined, file: string, create: boolean): Buffer {
  if (fromEnvironment) return decodeKey(fromEnvironment, 'MASTER_KEY')
  if (isThere(file)) return decodeKey(readFileSync(file, 'utf8'), file)
  if (!create) {
    throw new ConfigError(
      `There is no master key. Set MASTER_KEY to that of your data, or for new data to 32 random bytes in base64 (openssl rand -base64 32), or write it to ${file}.`,
    )
  }
  const key = randomBytes(32)
  // Rows will be encrypted with this key, so it must survive a power failure like them.
  try {
    writeKey(file, key, { exclusive: true })
    return key
  } catch (error) {
    // Another process that started at the same time has created it.
    if (!existsSync(file)) throw error
    return decodeKey(readFileSync(file, 'utf8'), file)
  }
}

/**
 * Replaces the key in the file with a new one, and keeps the old one beside it. Between the two steps both files have the
 * old key, and the next call continues. The caller excludes other calls. Throws ConfigError for a caller who does not own
 * the file, because the server could not read the new one.
 */
export function replaceKeyFile(file: string): void {
  if (statSync(file).uid !== process.getuid?.())
    throw new ConfigError(
      `Run this command as the owner of ${file}, so that the server can read the new key.`,
    )
  const present = readMasterKey(undefined, file, false)
  const before = previousKeyFile(file)
  if (!existsSync(before)) writeKey(before, present, { exclusive: true })
  else if (!decodeKey(readFileSync(before, 'utf8'), before).equals(present))
    throw new ConfigError(`${before} contains another key. Keep it for old backups, and move it away.`)
  writeKey(file, randomBytes(32))
}

const writeKey = (file: string, key: Buffer, options?: { exclusive: boolean }): void =>
  writeDurably(file, `${key.toString('base64')}\n`, options)

function decodeKey(text: string, where: string): Buffer {
  const key = Buffer.from(text, 'base64')
  // Node skips characters that are not base64, and would accept half of a password as a key.
  if (key.length !== 32 || key.toString('base64') !== text.trim())
    throw new ConfigError(`${where} does not contain 32 bytes in base64.`)
  return key
}
