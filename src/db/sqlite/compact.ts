import { statSync } from 'node:fs'
import Sqlite from 'better-sqlite3'
import type { Config } from '../../config.ts'
import { fileIn } from './sqlite-file.ts'

/**
 * Rewrites the file of the embedded database without its free pages. From then on, the server gives free pages back by
 * itself. No other program may have the file open. Returns the size in bytes before and after; null if another program has
 * it open.
 */
export function compactFile({
  data_dir,
}: Pick<Config, 'data_dir'>): { before: number; after: number } | null {
  const file = fileIn(data_dir)
  const before = statSync(file).size
  const db = new Sqlite(file, { fileMustExist: true, timeout: 0 })
  try {
    // Without shared memory, the file has to be locked for all other programs.
    db.pragma('locking_mode = EXCLUSIVE')
    db.exec('begin exclusive; commit')
    db.pragma('auto_vacuum = INCREMENTAL')
    db.exec('vacuum')
    db.pragma('wal_checkpoint(TRUNCATE)')
  } catch (error) {
    if ((error as { code?: string }).code?.startsWith('SQLITE_BUSY')) return null
    throw error
  } finally {
    db.close()
  }
  return { before, after: statSync(file).size }
}
