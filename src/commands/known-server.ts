import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, ConfigError, readConfig } from '../config.ts'
import type { Server } from '../outbound/server-client.ts'
import { readDemo } from './demo/demo-file.ts'
import type { Options } from './run.ts'

/** The options of commands that call a running server. */
export const serverOptions = {
  url: { value: 'URL', description: 'address of the server [that of demo.json in DATA_DIR]' },
  token: {
    value: 'TOKEN',
    description: 'token of an integration, or key of the test helpers [PATCHBAY_TOKEN, or that of demo.json]',
  },
  account: { value: 'SUBDOMAIN', description: 'the account, if the server has several [that of demo.json]' },
}

/** A server, and the account that a request should name; undefined if its token or the server decides. */
export interface KnownServer extends Server {
  account: string | undefined
}

/** The named server, or the one that `patchbay dev` runs on this machine. Throws ConfigError if there is none. */
export function knownServer({ url, token = process.env.PATCHBAY_TOKEN, account }: Options): KnownServer {
  if (url !== undefined && !/^https?:\/\/[^/?#]+\/?$/.test(url))
    throw new ConfigError(`--url is not the address of a server, such as https://hub.example.com: ${url}`)
  if (url !== undefined && token) return { url: url.replace(/\/$/, ''), token, account }
  if (url !== undefined) throw new ConfigError('--token is missing: the server at --url asks for one.')
  const file = join(readConfig('command', process.env).data_dir, 'demo.json')
  if (!existsSync(file))
    throw new ConfigError(
      `There is no ${file}. Start "patchbay dev", set DATA_DIR to its data, or use --url and --token.`,
    )
  const demo = readDemo(file)
  if (token) return { url: demo.base_url, token, account }
  return { url: demo.base_url, token: demo.test_helpers.key, account: account ?? demo.account.subdomain }
}

/**
 * The public address of the server on this data, of which a command knows only the data: `patchbay dev` writes its own
 * to demo.json, because PORT=0 selects a free port. Throws ConfigError if the file is not JSON.
 */
export function addressOfServer({ data_dir, public_url }: Config, env: NodeJS.ProcessEnv): string {
  const isNamed = env.PUBLIC_URL?.trim() || Number(env.PORT?.trim() || 0) !== 0
  const file = join(data_dir, 'demo.json')
  return isNamed || !existsSync(file) ? public_url : readDemo(file).base_url
}

/** Whether it is a token of an integration, and not the key of the test helpers. */
export const isAccessToken = (token: string): boolean => /^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)

/** Why a server could not be reached, for people. */
export function unreachable({ url }: Server, error: unknown): string {
  const { message, cause } = error as Error
  return `${url} does not answer: ${cause instanceof Error ? cause.message || (cause as NodeJS.ErrnoException).code : message}`
}
