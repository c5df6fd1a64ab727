import type { Context } from '../context.ts'
import { withContext } from './open.ts'
import type { Command } from './run.ts'

export const migrateCommand: Command = {
  name: 'migrate',
  summary: 'Create the database, or migrate it to this version. Every start of the server does this too.',
  async run() {
    const say = async ({ config }: Context) => {
      const place = config.database_url ? 'PostgreSQL' : config.data_dir
      process.stdout.write(`The database (${place}) is up to date.\n`)
    }
    await withContext(say, { create: true })
  },
}
