import { join } from 'node:path'
import { createFolder, requireUsable } from '../../folders.ts'

/** The file of the embedded database in a data folder. */
export const fileIn = (data_dir: string): string => join(data_dir, 'patchbay.db')

/**
 * Creates the data folder if it is missing. Throws a system error with the path that this process cannot use, because that of
 * SQLite names neither the file nor the reason.
 */
export function prepareFolder(data_dir: string): void {
  createFolder(data_dir)
  const file = fileIn(data_dir)
  requireUsable(data_dir, file, `${file}-wal`, `${file}-shm`)
}
