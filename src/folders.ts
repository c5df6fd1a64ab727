import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** Creates a folder (mode 0700) if it is missing, and returns the first of the folders that it created. */
export function createFolder(folder: string): string | undefined {
  try {
    return mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (error) {
    // On a read-only disk, Node only says that the folder is missing.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') accessSync(nearest(folder), constants.W_OK)
    throw error
  }
}

/** Throws a system error with the path if this process cannot read and write an existing folder or file. */
export function requireUsable(...paths: string[]): void {
  for (const path of paths) {
    try {
      accessSync(path, constants.R_OK | constants.W_OK)
    } catch (error) {
      // Another program can delete what SQLite has left at any moment.
      if (!/^(ENOENT|ENOTDIR)$/.test(String((error as NodeJS.ErrnoException).code))) throw error
    }
  }
}

/** Whether there is something with this path. Throws a system error with the path if this user may not know. */
export const isThere = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined

/** The folder itself if it exists, otherwise the nearest one above it. */
const nearest = (folder: string): string => (existsSync(folder) ? folder : nearest(dirname(folder)))
