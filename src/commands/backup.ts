import { ConfigError } from '../config.ts'
import type { Context } from '../context.ts'
import type { Db } from '../db/database.ts'
import { checkReplica } from '../db/postgres/replica.ts'
import { countOf, writeDump } from './dump.ts'
import { reportOf } from './dump-blobs.ts'
import { naming } from './machine-errors.ts'
import { withContext } from './open.ts'
import { showProgress } from './progress.ts'
import type { Command } from './run.ts'

export const backup: Command = {
  name: 'backup',
  summary:
    'Write everything except the master key to a file while the server runs, and replace the file when it is complete. Store the master key separately.',
  operands: ['FILE'],
  options: {
    replica: { description: 'read the rows from the replica (READ_URL), which can miss the last seconds' },
  },
  async run({ replica }, [file = '']) {
    await withContext(
      async (ctx) => {
        const db = replica === undefined ? ctx.db : await replicaOf(ctx)
        const dumped = await writeDump({ db, files: ctx.files }, file, ctx.now(), showProgress)
        process.stdout.write(`${countOf(dumped)} written to ${file}\n`)
        process.stderr.write(reportOf(dumped.damaged))
      },
      // An upgrade needs a backup from before. The file of an older version would lack the additions of a newer one.
      { accepted: { older: true, newer: false } },
    )
  },
}

/** Throws ConfigError if there is no replica, or it cannot be read. */
async function replicaOf(ctx: Context): Promise<Db> {
  if (!ctx.replica) throw new ConfigError('READ_URL is not set; --replica needs it.')
  await naming('READ_URL', () => checkReplica(ctx))
  return ctx.replica
}
