import { masterKeyFile } from '../config.ts'
import type { Context } from '../context.ts'
import { previousKeyFile } from '../master-keys.ts'
import { withContext } from './open.ts'
import { showProgress } from './progress.ts'
import { rekey } from './rekeying.ts'
import type { Command } from './run.ts'

const MOST_SHOWN = 20

export const rekeyCommand: Command = {
  name: 'rekey',
  summary:
    'Change the master key while servers run: from MASTER_KEY_PREVIOUS to MASTER_KEY, or to a new key in DATA_DIR/master.key. Can be repeated after an interruption.',
  async run() {
    // A newer version can have secrets that this one does not know.
    await withContext(changeKey, { accepted: { older: false, newer: false } })
  },
}

async function changeKey(ctx: Context): Promise<void> {
  const file = process.env.MASTER_KEY ? null : masterKeyFile(ctx.config)
  const { changed, unopened } = await rekey(ctx, file, showProgress)
  process.stdout.write(
    `The master key is changed. Secrets that were encrypted with the new one: ${changed}.\n`,
  )
  process.stdout.write(`${next(file)}\n`)
  if (unopened.length === 0) return
  const places = unopened.slice(0, MOST_SHOWN).map((place) => `  ${place}\n`)
  process.stderr.write(
    `Neither key opens these secrets, so they were left (${unopened.length}):\n${places.join('')}`,
  )
}

/** The next step of the operator. */
const next = (file: string | null): string =>
  file === null
    ? 'Keep the previous key for backups that were made before, and restart every server without MASTER_KEY_PREVIOUS.'
    : `The previous key is in ${previousKeyFile(file)}. Move it to the backups that were made before.`
