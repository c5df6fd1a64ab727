import type { Context } from '../context.ts'
import { buildIndexes } from '../db/indexes/index-upkeep.ts'
import { withContext } from './open.ts'
import { showProgress } from './progress.ts'
import type { Command } from './run.ts'

export const migrateCommand: Command = {
  name: 'migrate',
  summary: 'Create the database, or migrate it to this version. Every start of the server does this too.',
  async run() {
    await withContext(complete, { create: true })
  },
}

async function complete(ctx: Context): Promise<void> {
  const { config } = ctx
  const place = config.database_url ? 'PostgreSQL' : config.data_dir
  // Building an index does not keep the process alive.
  const alive = setInterval(() => {}, 1_000)
  const isComplete = await buildIndexes(ctx, (left) => showProgress('indexes to build', left))
  clearInterval(alive)
  process.stdout.write(
    isComplete
      ? `The database (${place}) is up to date.\n`
      : `The tables of the database (${place}) are up to date. Another program is building its indexes.\n`,
  )
}
