import { dirname } from 'node:path'
import Sqlite from 'better-sqlite3'
import { createFolder, requireUsable } from '../../folders.ts'

/** Milliseconds in which a program that ends gives its file up. */
const PATIENCE_MS = 1_000

/**
 * Holds a file for this process by a lock of SQLite, which the system releases however the process ends. Creates the file and
 * its folder if they are missing. Returns false if another process holds it.
 */
export function holdFile(file: string): boolean {
  createFolder(dirname(file))
  requireUsable(dirname(file), file)
  const held = new Sqlite(file, { timeout: PATIENCE_MS })
  // The lock ends with its handle, so the handle must not be collected.
  process.once('exit', () => held.close())
  try {
    held.exec('BEGIN EXCLUSIVE')
    return true
  } catch (error) {
    if ((error as { code?: string }).code !== 'SQLITE_BUSY') throw error
    return false
  }
}
