import { withContext } from './open.ts'
import type { Command } from './run.ts'

export const migrateCommand: Command = {
  name: 'migrate',
  summary: 'Bring the database to this version. Every start does so too; this is for doing it beforehand.',
  async run() {
    await withContext(async (ctx) => {
      const kind = ctx.config.database_url ? 'PostgreSQL' : ctx.config.data_dir
      process.stdout.write(`The database (${kind}) is at this version.\n`)
    })
  },
}
