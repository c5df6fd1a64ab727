import { createHash } from 'node:crypto'
import { hostname } from 'node:os'
import { ConfigError } from '../config.ts'
import type { HeardRequest, ListenSession } from '../listening/schemas.ts'
import { createOutbound, OutboundError } from '../outbound/http-client.ts'
import { type Server, ServerRefusal } from '../outbound/server-client.ts'
import { isAccessToken, type KnownServer, knownServer, serverOptions, unreachable } from './known-server.ts'
import { type Heard, heard } from './listening-session.ts'
import { onOneLine, print } from './printable.ts'
import type { Command, Options } from './run.ts'

export const listen: Command = {
  name: 'listen',
  summary:
    'Show the webhooks, callbacks and hooks that an account sends, as they happen, and forward them to an address of this ' +
    'machine. On a terminal, r sends the last one again. It can listen to a server on another machine.',
  options: {
    'forward-to': { value: 'URL', description: 'where to send each request, with its headers and bytes' },
    events: {
      value: 'CODES',
      description: 'only changes with these codes, such as add_lead,status_lead; or all',
    },
    channel: { value: 'ID', description: 'only callbacks of this chat channel' },
    bodies: { description: 'print bodies, too' },
    ...serverOptions,
  },
  async run(options) {
    const forward_to = addressOf(options)
    const server = knownServer(options)
    const stop = new AbortController()
    process.once('SIGINT', () => stop.abort()).once('SIGTERM', () => stop.abort())
    const outbound = createOutbound(FORWARDING)
    let last: HeardRequest | undefined
    const show = async (request: HeardRequest): Promise<void> => {
      last = request
      const outcome = forward_to ? await forwarded(outbound, forward_to, request) : ''
      print(`${onOneLine(lineOf(request, outcome))}\n`)
      if (options.bodies !== undefined) print(`${request.body}\n\n`)
    }
    const release = onKeys({ again: () => last && void show(last), stop: () => stop.abort() })
    try {
      for await (const one of heard(server, pathOf(server, options), stop.signal))
        await report(one, server, show)
    } catch (error) {
      if (!(error instanceof ServerRefusal)) throw error
      throw new ConfigError(error.message)
    } finally {
      release()
      await outbound.close()
    }
  },
}

/** The developer decides where requests go. A receiver can stand at a breakpoint. */
const PATIENCE_MS = 120_000
const FORWARDING = {
  allow: ['0.0.0.0/0', '::/0'],
  limits: { total: PATIENCE_MS, dns: 2_000, connect: 3_000, headers: PATIENCE_MS },
}

function addressOf({ 'forward-to': address }: Options): URL | undefined {
  if (address === undefined) return undefined
  const url = URL.parse(address)
  if (!url || !/^https?:$/.test(url.protocol))
    throw new ConfigError(`--forward-to is not an http address: ${address}`)
  return url
}

/** The stream, with a session that is the same when the same command starts again. */
function pathOf({ token, account }: KnownServer, { events, channel, ...options }: Options): string {
  const place = [hostname(), account, options['forward-to'], events, channel].join('\n')
  const session = createHash('sha256').update(place).digest('base64url').slice(0, 22)
  const query = new URLSearchParams({ session })
  for (const [name, value] of Object.entries({ events, channel, account }))
    if (value !== undefined) query.set(name, value)
  return `${isAccessToken(token) ? '/api/v4/outgoing_requests' : '/test_helpers/listen'}?${query}`
}

async function report(
  { session, request, broken }: Heard,
  server: Server,
  show: (request: HeardRequest) => Promise<void>,
): Promise<void> {
  if (session) print(`${greeting(session)}\n`)
  if (broken !== undefined) process.stderr.write(`${unreachable(server, broken)}. Trying again …\n`)
  if (request) await show(request)
}

const greeting = ({ account, secret }: ListenSession): string =>
  `Listening to ${account}.${secret ? ` Without a webhook of their own, changes are signed with ${secret}` : ''}`

/** Sends a request on, and says what became of it. The query stays, because hooks have their data there. */
async function forwarded(
  outbound: ReturnType<typeof createOutbound>,
  to: URL,
  { method, url, headers, body }: HeardRequest,
): Promise<string> {
  const target = new URL(to)
  for (const [name, value] of URL.parse(url ?? '')?.searchParams ?? [])
    target.searchParams.append(name, value)
  try {
    const answer = await outbound.request({
      method: method === 'GET' ? 'GET' : 'POST',
      url: target.href,
      headers,
      body,
      timeout_ms: PATIENCE_MS,
    })
    return `${answer.status}  ${answer.duration_ms} ms`
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    return `${error.reason}: ${error.message}`
  }
}

function lineOf({ id, kind, event, method, url, request_id }: HeardRequest, outcome: string): string {
  const time = new Date().toTimeString().slice(0, 8)
  const to = url === null ? '' : `  for ${new URL(url).host}`
  return `${time}  ${method} ${event ?? kind}${outcome && `  ${outcome}`}${to}  del_${id}  request ${request_id}`
}

/** Reads single keys of a terminal; returns what gives it back. Elsewhere there are none. */
function onKeys(keys: { again(): void; stop(): void }): () => void {
  const { stdin } = process
  if (!stdin.isTTY) return () => {}
  const read = (key: Buffer) => {
    if (key.includes('r')) keys.again()
    // Ctrl+C and Ctrl+D come as characters in raw mode.
    if (key.includes('q') || key.includes(3) || key.includes(4)) keys.stop()
  }
  stdin.setRawMode(true).on('data', read)
  return () => {
    stdin.setRawMode(false).off('data', read).pause()
  }
}
