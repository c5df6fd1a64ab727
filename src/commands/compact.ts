import { ConfigError, readConfig } from '../config.ts'
import { hasDatabaseFile } from '../db/database.ts'
import { compactFile } from '../db/sqlite/compact.ts'
import { bytesText } from './bytes-text.ts'
import { naming } from './machine-errors.ts'
import type { Command } from './run.ts'

export const compact: Command = {
  name: 'compact',
  summary:
    'Rewrite the file of the embedded database without its free space. The server must be stopped. It needs as much free disk as the file has.',
  async run() {
    const config = readConfig('command', process.env)
    if (config.database_url) throw new ConfigError('PostgreSQL frees space by itself (autovacuum).')
    if (!(await naming('DATA_DIR', () => hasDatabaseFile(config))))
      throw new ConfigError(`There is no Patchbay database in ${config.data_dir}.`)
    const sizes = await naming('DATA_DIR', () => compactFile(config))
    if (!sizes) throw new ConfigError('Another program has the database open. Stop the server first.')
    process.stdout.write(`${bytesText(sizes.before)} before, ${bytesText(sizes.after)} after\n`)
  },
}
