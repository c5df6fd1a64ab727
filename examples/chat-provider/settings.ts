import { readDemo } from '../demo-file.ts'

/** The settings of a provider, from the environment, or from the file of `patchbay dev`. */
export interface Settings {
  port: number
  /** The server's address for channels. */
  chat_url: string
  channel_id: string
  channel_secret: string
  /** The `amojo_id` of the connected account. */
  account_id: string
  /** The registered path of the channel, without `:scope_id` and the rest. */
  callback_path: string
  /** The folder of messages and their files. */
  folder: string
}

export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const demo = env.CHANNEL_ID ? {} : readDemo(env)
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
