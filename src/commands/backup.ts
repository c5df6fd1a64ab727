import { countOf, writeDump } from './dump.ts'
import { withContext } from './open.ts'
import { showProgress } from './progress.ts'
import type { Command } from './run.ts'

export const backup: Command = {
  name: 'backup',
  summary:
    'Write everything except the master key to a file while the server runs, and replace the file when it is complete. Store the master key separately.',
  operands: ['FILE'],
  async run(_options, [file = '']) {
    await withContext(async (ctx) => {
      const dumped = await writeDump(ctx, file, ctx.now(), showProgress)
      process.stdout.write(`${countOf(dumped)} written to ${file}\n`)
    })
  },
}
