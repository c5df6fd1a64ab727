import { statSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { Context } from '../context.ts'
import { fileIn } from '../db/sqlite/sqlite-file.ts'
import { EXIT_DATABASE_LOST } from './open.ts'

const EVERY_MS = 3_000

/**
 * Ends the program when the file of the embedded database is no longer at its path: what the program writes would be lost at
 * its end, and a reader that opens the path would see another database. Returns a function that stops looking.
 */
export function watchDatabaseFile({ config, log }: Context): () => void {
  if (config.database_url) return () => {}
  const file = fileIn(config.data_dir)
  const opened = statSync(file)
  const timer = setInterval(async () => {
    const present = await stat(file).catch((error: NodeJS.ErrnoException) =>
      // Another error says nothing about the file, such as that of a file system which does not answer.
      error.code === 'ENOENT' ? null : opened,
    )
    if (present?.ino === opened.ino) return
    log.fatal({ file }, `the database file was ${present ? 'replaced' : 'removed'} while the program used it`)
    process.exit(EXIT_DATABASE_LOST)
  }, EVERY_MS)
  timer.unref()
  return () => clearInterval(timer)
}
