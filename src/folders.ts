import { accessSync, constants, existsSync, mkdirSync } from 'node:fs'
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

/** Throws a system error with the path if this process cannot read and write a folder, or one of its files with these names. */
export function requireUsable(folder: string, names: readonly string[] = []): void {
  const { R_OK, W_OK, X_OK } = constants
  accessSync(folder, R_OK | W_OK | X_OK)
  for (const name of names) {
    const file = `${folder}/${name}`
    if (existsSync(file)) accessSync(file, R_OK | W_OK)
  }
}

/** The folder itself if it exists, otherwise the nearest one above it. */
const nearest = (folder: string): string => (existsSync(folder) ? folder : nearest(dirname(folder)))
