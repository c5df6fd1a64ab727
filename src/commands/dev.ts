import { join } from 'node:path'
import type { Context } from '../context.ts'
import { type Demo, prepareDemo } from './demo.ts'
import { closeContext, openContext } from './open.ts'
import { withFreePort } from './ports.ts'
import type { Command } from './run.ts'
import { startServer } from './start.ts'

export const dev: Command = {
  name: 'dev',
  summary: 'Run the server on this machine alone, with a demo account that is ready to use.',
  async run() {
    const ctx = await openContext('dev', await withFreePort({ LOG_LEVEL: 'warn', ...process.env }))
    const demo = await prepareDemo(ctx)
    const server = await startServer(ctx, () => closeContext(ctx))
    process.stdout.write(demo ? welcome(ctx, demo) : `\nPatchbay is ready: ${ctx.config.public_url}\n`)
    await server.stopped
  },
}

function welcome(ctx: Context, { base_url, account, user, integration, channel, tokens }: Demo): string {
  return `
Patchbay is ready.

  Application      ${base_url}   (this account: ${account.url})
  Sign in          ${user.email}   ${user.password}

  Integration      client_id      ${integration.client_id}
                   client_secret  ${integration.client_secret}
                   redirect_uri   ${integration.redirect_uri}
  Consent page     ${base_url}/oauth?client_id=${integration.client_id}&state=1
${channel ? shownChannel(ctx, channel) : ''}
  All of it        ${join(ctx.config.data_dir, 'demo.json')}

  A first call:

curl ${base_url}/api/v4/account -H 'Authorization: Bearer ${tokens.access_token}'

`
}

const shownChannel = (ctx: Context, { id, secret, scope_id }: NonNullable<Demo['channel']>): string => `
  Chat channel     id             ${id}
                   secret         ${secret}
                   scope_id       ${scope_id}
                   address        ${ctx.config.chat_url}/v2/origin/custom
`
