import { countOf, writeDump } from './dump.ts'
import { withContext } from './open.ts'
import { showProgress } from './progress.ts'
import type { Command } from './run.ts'

export const backup: Command = {
  name: 'backup',
  summary:
    'Write everything but the master key into a file, while the server runs. Keep the master key with it, apart.',
  operands: ['FILE'],
  async run(_options, [file = '']) {
    await withContext(async (ctx) => {
      const dumped = await writeDump(ctx, file, ctx.now(), showProgress)
      process.stdout.write(`${countOf(dumped)} written to ${file}\n`)
    })
  },
}
