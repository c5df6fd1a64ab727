import { readFileSync } from 'node:fs'

/** What a channel's provider has to know; from the environment, or for a first try from what `patchbay dev` wrote down. */
export interface Settings {
  port: number
  /** Where the server listens for channels. */
  chat_url: string
  channel_id: string
  channel_secret: string
  /** `amojo_id` of the account that the channel is connected to. */
  account_id: string
  /** As it was registered with the channel, without `:scope_id` and what follows it. */
  callback_path: string
  /** Where this program keeps its messages, and the files that came with them. */
  folder: string
}

export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const demo = env.CHANNEL_ID ? {} : JSON.parse(readFileSync(env.DEMO_FILE ?? 'data/demo.json', 'utf8'))
  const callback = new URL(env.CALLBACK_URL ?? 'http://localhost:3100/callback')
  return {
    port: Number(callback.port || 80),
    chat_url: env.CHAT_URL ?? demo.base_url,
    channel_id: env.CHANNEL_ID ?? demo.channel.id,
    channel_secret: env.CHANNEL_SECRET ?? demo.channel.secret,
    account_id: env.ACCOUNT_ID ?? demo.account.amojo_id,
    callback_path: callback.pathname.split('/:scope_id')[0] as string,
    folder: env.FOLDER ?? 'data/chat-provider',
  }
}
