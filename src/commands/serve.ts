import { createSetupToken, isEmpty } from '../accounts/accounts.ts'
import { closeContext, openContext } from './open.ts'
import { withFreePort } from './ports.ts'
import type { Command } from './run.ts'
import { startServer } from './start.ts'

export const serve: Command = {
  name: 'serve',
  summary: 'Run the server in production: without a demo, and only with safe settings.',
  async run() {
    const ctx = await openContext({ mode: 'serve', env: await withFreePort(process.env), create: true })
    const server = await startServer(ctx, () => closeContext(ctx))
    process.stdout.write(`Patchbay is listening on ${server.address} as ${ctx.config.public_url}\n`)
    if (await isEmpty(ctx)) {
      const token = await createSetupToken(ctx)
      process.stdout.write(`Create the first account: ${ctx.config.public_url}/setup?token=${token}\n`)
    }
    await server.stopped
  },
}
