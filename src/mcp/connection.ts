import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError, readConfig } from '../config.ts'
import { askServer, type Server, ServerRefusal } from '../outbound/server-client.ts'

/** The address of the server for the tools. Absent members come from `demo.json`, at each call: the server may start later. */
export interface Connection {
  url?: string
  /** The key of the test helpers. */
  key?: string
  /** An access token, for the API. */
  token?: string
  /** The subdomain, if the server has several accounts. */
  account?: string
}

/** A call of the server: with an access token below `/api`, otherwise with the key of the test helpers. */
export interface Call {
  method?: 'GET' | 'POST'
  path: string
  query?: Record<string, string | number | boolean | undefined>
  body?: object
}

/** Everybody may read it. */
export const DESCRIPTION = '/api/openapi.json'

/** A call that the server refused, or that did not reach it. The message is for the agent. */
export class ToolError extends Error {
  override name = 'ToolError'
}

/** Sends a call and returns the parsed answer; null for an answer without a body. Throws ToolError. */
export async function send(
  connection: Connection,
  { method = 'GET', path, query, body }: Call,
): Promise<unknown> {
  const server = serverOf(connection, path)
  const all = { ...(path.startsWith('/test_helpers/') && { account: server.account }), ...query }
  const set = Object.entries(all).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  )
  const address = set.length > 0 ? `${path}?${new URLSearchParams(set)}` : path
  try {
    return await askServer(server, method, address, body)
  } catch (error) {
    if (error instanceof ServerRefusal)
      throw new ToolError(`${error.message}\n\n${JSON.stringify(error.problem, null, 1)}`)
    const { message, cause } = error as Error
    const reason = cause instanceof Error ? cause.message || (cause as NodeJS.ErrnoException).code : message
    throw new ToolError(`${server.url} does not answer: ${reason}. Is "patchbay dev" running?`)
  }
}

function serverOf({ url, key, token, account }: Connection, path: string): Server & { account?: string } {
  const isApi = path.startsWith('/api/')
  const given = path === DESCRIPTION ? (key ?? token) : isApi ? token : key
  const named = account !== undefined && { account }
  if (url !== undefined && given !== undefined) return { url: url.replace(/\/$/, ''), token: given, ...named }
  if (url !== undefined)
    throw new ToolError(
      isApi
        ? 'This tool calls the API, which asks for an access token. Start "patchbay mcp" with --token.'
        : 'This tool calls the test helpers, which ask for their key. Start "patchbay mcp" with --key.',
    )
  const demo = readDemo()
  if (given !== undefined) return { url: demo.base_url, token: given, ...named }
  const own = isApi ? demo.tokens.access_token : demo.test_helpers.key
  return { url: demo.base_url, token: own, account: account ?? demo.account.subdomain }
}

interface DemoFile {
  base_url: string
  account: { subdomain: string }
  tokens: { access_token: string }
  test_helpers: { key: string }
}

function readDemo(): DemoFile {
  const file = join(readConfig('command', process.env).data_dir, 'demo.json')
  if (!existsSync(file))
    throw new ToolError(
      `There is no ${file}. Start "patchbay dev", set DATA_DIR to its data, or start "patchbay mcp" with --url and --key.`,
    )
  return JSON.parse(readFileSync(file, 'utf8'))
}

/** Checks the options of the command. Throws ConfigError. */
export function readConnection(options: Connection): Connection {
  const { url, key, token, account } = options
  if (url !== undefined && !/^https?:\/\/[^/?#]+\/?$/.test(url))
    throw new ConfigError(`--url is not the address of a server, such as http://localhost:8080: ${url}`)
  if (url !== undefined && key === undefined && token === undefined)
    throw new ConfigError('--key or --token is missing: the server at --url asks for one.')
  return { url, key, token, account }
}
