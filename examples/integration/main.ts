/**
 * A small integration: asks for consent, exchanges the code, calls the API, refreshes its tokens, and notices when an
 * administrator disables it. Start it next to `npm start` with `npm run example:integration`.
 */
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
// In a project of your own: import { createClient } from 'patchbay/client'
import { createClient } from '../../sdk/client.ts'
import { readSettings } from './settings.ts'
import { Tokens } from './tokens.ts'

const settings = readSettings(process.env)
const tokens = new Tokens(settings)
const client = createClient(settings.patchbay_url, () => tokens.current())
/** States that are not returned yet. A redirect with an unknown state did not start here. */
const states = new Set<string>()

type Page = (url: URL, response: ServerResponse) => Promise<void>
const pages: Record<string, Page> = {
  '/': start,
  [new URL(settings.redirect_uri).pathname]: callback,
  '/account': account,
  '/renew': renew,
  '/disabled': disabled,
}

async function start(_url: URL, response: ServerResponse): Promise<void> {
  const state = randomUUID()
  states.add(state)
  response.writeHead(302, { location: tokens.consentUrl(state) }).end()
}

async function callback(url: URL, response: ServerResponse): Promise<void> {
  if (!states.delete(url.searchParams.get('state') ?? ''))
    return answer(response, 400, { error: 'unknown state' })
  const error = url.searchParams.get('error')
  if (error) return answer(response, 403, { error })
  await tokens.exchange(url.searchParams.get('code') ?? '')
  return account(url, response)
}

async function account(_url: URL, response: ServerResponse): Promise<void> {
  const called = await call(() => client.GET('/api/v4/account'))
  answer(response, called.response.status, called.data ?? called.error)
}

async function renew(url: URL, response: ServerResponse): Promise<void> {
  await tokens.current(true)
  return account(url, response)
}

/** The disable hook (GET with account_id, client_uuid and a signature). */
async function disabled(url: URL, response: ServerResponse): Promise<void> {
  const { account_id = '', client_uuid = '', signature = '' } = Object.fromEntries(url.searchParams)
  const expected = createHmac('sha256', settings.client_secret)
    .update(`${client_uuid}|${account_id}`)
    .digest()
  const given = Buffer.from(signature, 'hex')
  if (given.length !== expected.length || !timingSafeEqual(given, expected))
    return answer(response, 403, { error: 'bad signature' })
  await tokens.forget()
  process.stdout.write(`switched off in account ${account_id}\n`)
  answer(response, 200, {})
}

/** Calls the API, and repeats the call with a new token if the current one is rejected. */
async function call<T extends { response: Response }>(request: () => Promise<T>): Promise<T> {
  const first = await request()
  if (first.response.status !== 401) return first
  try {
    await tokens.current(true)
  } catch {
    return first
  }
  return request()
}

function answer(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body, null, 2))
}

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', settings.redirect_uri)
  const page = pages[url.pathname]
  if (!page) return answer(response, request.method === 'HEAD' ? 204 : 404, { error: 'no such page' })
  try {
    await page(url, response)
  } catch (error) {
    answer(response, 502, { error: String(error) })
  }
}

createServer(handle).listen(settings.port, '127.0.0.1', () => {
  process.stdout.write(`The integration is ready: http://localhost:${settings.port}/\n`)
})
