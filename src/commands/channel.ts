import { NewChannel } from '../chats/channels/channel-schemas.ts'
import { botIdOf, connectOwn, createChannel, scopeIdOf } from '../chats/chats.ts'
import { integrationsOfChannels } from '../integrations/integrations.ts'
import { checked } from './checked.ts'
import { withContext } from './open.ts'
import { jsonOption, membersOf, printResult } from './results.ts'
import type { Command } from './run.ts'
import { accountNamed, memberNamed } from './user.ts'

export const channelCreate: Command = {
  name: 'channel create',
  summary:
    'Register a chat channel in an account on behalf of an administrator, and print its id and secret.',
  options: {
    account: { value: 'SUBDOMAIN', description: 'the developer account', required: true },
    user: { value: 'ADDRESS', description: 'e-mail of the administrator', required: true },
    name: { value: 'NAME', description: 'at most 255 characters', required: true },
    'callback-url': {
      value: 'URL',
      description: 'URL for outgoing messages; can contain :scope_id',
      required: true,
    },
    integration: {
      value: 'CLIENT_ID',
      description: 'integration of the channel; accounts that install it can connect the channel',
    },
    protocol: {
      value: 'spec|live',
      description: 'format of pushes: as documented, or as the live service sends them [spec]',
    },
    delivery: { value: 'retry|once', description: 'how often delivery is attempted [retry]' },
    connect: { description: 'connect the account, and print its scope id' },
    ...jsonOption,
  },
  async run({ account: subdomain = '', user = '', name = '', connect, ...options }) {
    const draft: NewChannel = {
      name,
      callback_url: options['callback-url'] ?? '',
      integration_id: options.integration ?? null,
      protocol: (options.protocol ?? 'spec') as NewChannel['protocol'],
      delivery: (options.delivery ?? 'retry') as NewChannel['delivery'],
    }
    await withContext(async (ctx) => {
      const account = await accountNamed(ctx, subdomain)
      const actor = await memberNamed(ctx, account, user)
      const { keys } = await createChannel(ctx, actor, checked(NewChannel, draft), integrationsOfChannels)
      const { channel_id, secret } = keys
      if (connect !== undefined) await connectOwn(ctx, actor, channel_id)
      const scope_id = connect === undefined ? null : scopeIdOf(channel_id, account.amojo_id)
      const made = { channel_id, secret, bot_id: botIdOf(channel_id), scope_id }
      printResult(options, made, membersOf(made))
    })
  },
}
