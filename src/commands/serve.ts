import { createSetupToken, isEmpty } from '../accounts/accounts.ts'
import { isAlone } from './alone.ts'
import { withFreePort } from './ports.ts'
import { runServer } from './processes.ts'
import type { Command } from './run.ts'

export const serve: Command = {
  name: 'serve',
  summary: 'Run the server in production: without a demo, and only with safe settings.',
  async run() {
    await runServer({
      opening: { mode: 'serve', env: await withFreePort(process.env) },
      prepare: async (ctx) => {
        // Leases of queued work end when a program starts on the embedded database.
        if (ctx.config.database_url === '' && !isAlone(ctx))
          ctx.log.warn(
            'another server uses this embedded database, so messages can be sent twice: start one, and set WORKERS',
          )
      },
      announce: async (ctx, address) => {
        process.stdout.write(`Patchbay is listening on ${address} as ${ctx.config.public_url}\n`)
        if (!(await isEmpty(ctx))) return
        const token = await createSetupToken(ctx)
        process.stdout.write(`Create the first account: ${ctx.config.public_url}/setup?token=${token}\n`)
      },
    })
  },
}
