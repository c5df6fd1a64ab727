import { join } from 'node:path'
import { ConfigError } from '../config.ts'
import type { Context } from '../context.ts'
import { isAlone } from './alone.ts'
import { type Demo, prepareDemo } from './demo/demo.ts'
import { withFreePort } from './ports.ts'
import { runServer } from './processes.ts'
import type { Command } from './run.ts'

export const dev: Command = {
  name: 'dev',
  summary: 'Run the server on this machine, with a demo account that is ready to use.',
  async run() {
    await runServer({
      opening: { mode: 'dev', env: await withFreePort(process.env) },
      prepare: (ctx) => {
        requireAlone(ctx)
        return prepareDemo(ctx, () => process.stdout.write('Creating the demo account …\n'))
      },
      announce: (ctx, _address, demo) => {
        process.stdout.write(demo ? welcome(ctx, demo) : withoutDemo(ctx))
      },
    })
  },
}

/** The addresses in demo.json are those of one server. Throws ConfigError if another one has the data folder. */
function requireAlone(ctx: Context): void {
  if (isAlone(ctx)) return
  throw new ConfigError(
    `Another server is running with DATA_DIR ${ctx.config.data_dir}. Stop it, or give this one a folder of its own.`,
  )
}

/** A command line with the settings of this server's data. */
function commandLineOf({ config }: Context): string {
  const place = config.database_url ? 'DATABASE_URL=… ' : ''
  return `${place}DATA_DIR=${config.data_dir} npm run -s patchbay -- --help`
}

/** The passwords are stored as hashes only, so they cannot be printed again. */
const withoutDemo = ({ config }: Context): string => `
Patchbay is ready: ${config.public_url}

  There is no ${join(config.data_dir, 'demo.json')}, so the password and the keys of the demo account are not known.
  "patchbay user password" sets a new password. For a new demo account, stop the server and delete its data.
`

function welcome(ctx: Context, demo: Demo): string {
  const { base_url, account, user, integration, channel, channel_live, tokens } = demo
  return `
Patchbay is ready.

  Application      ${base_url}   (this account: ${account.url})
  Sign in          ${user.email}   ${user.password}

  Integration      client_id      ${integration.client_id}
                   client_secret  ${integration.client_secret}
                   redirect_uri   ${integration.redirect_uri}
  Consent page     ${base_url}/oauth?client_id=${integration.client_id}&state=1
${channel ? shownChannel('Chat channel    ', channel) : ''}${channel_live ? shownChannel('For live clients', channel_live) : ''}
  Chat address     ${ctx.config.chat_url}/v2/origin/custom

  Requests         ${base_url}/test_helpers/requests   (with the key of demo.json)

  All of it        ${join(ctx.config.data_dir, 'demo.json')}
  Command line     ${commandLineOf(ctx)}

  A first call:

curl ${base_url}/api/v4/account -H 'Authorization: Bearer ${tokens.access_token}'

`
}

const shownChannel = (title: string, channel: NonNullable<Demo['channel']>): string => `
  ${title} id             ${channel.id}
                   secret         ${channel.secret}
                   scope_id       ${channel.scope_id}
                   bot_id         ${channel.bot_id}
`
