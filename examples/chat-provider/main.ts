/**
 * A small provider of a chat channel: connects an account, pushes the messages of customers, receives the answers of
 * the account, and reports their status. Start it next to `npm start` with `npm run example:chat-provider`, and act as
 * a customer at http://localhost:3100/.
 */
import { randomUUID } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { BadRequest, type Callback, parse, readBody, readCallback } from './callback.ts'
import { type Content, DELIVERED, FAILED, openChannel, READ, Refused } from './channel.ts'
import { type Message, Messages } from './messages.ts'
import { readSettings } from './settings.ts'

const settings = readSettings(process.env)
const channel = openChannel(settings)
const messages = new Messages(settings.folder)
const own_url = `http://localhost:${settings.port}`
const now = () => Math.floor(Date.now() / 1000)

type Page = (request: IncomingMessage) => Promise<unknown>
const pages: Record<string, Page> = {
  'POST /say': async (request) => say(await readJson(request)),
  'POST /read': read,
  'POST /connect': async () => ({ scope_id: await channel.connect() }),
  'POST /disconnect': async () => channel.disconnect(),
  'GET /messages': async () => ({ messages: messages.all }),
}

/** Pushes a customer's message to the account: a text, or any other kind in `message`. */
async function say({ from, name = from, phone, email, text = '', message = { type: 'text', text } }: Said) {
  const msgid = randomUUID()
  const pushed = await channel.push({
    timestamp: now(),
    msgid,
    conversation_id: `chat-${from}`,
    sender: { id: from, name, avatar: `${own_url}/avatar.svg`, profile: { phone, email } },
    message,
  })
  await messages.add({ at: now(), direction: 'from', customer: from, state: 'sent', ...shownOf(message) })
  return { msgid, ...pushed }
}

interface Said {
  from: string
  name?: string
  phone?: number
  email?: string
  text?: string
  message?: Content
}

const shownOf = ({ type, text = '', media }: Partial<Record<keyof Callback, unknown>>) =>
  ({ type, text, media }) as Pick<Message, 'type' | 'text' | 'media'>

/** Receives a message of the account. It is stored before the answer, because it is not sent again after a 2xx. */
async function callback(request: IncomingMessage): Promise<unknown> {
  const { webhook_id, message_id, receiver, ...sent } = await readCallback(request, settings.channel_secret)
  if (messages.find(webhook_id)) {
    await messages.save()
    return { repeated: true }
  }
  const kept: Message = {
    ...{ at: now(), direction: 'to', customer: receiver, webhook_id, message_id, state: 'kept' },
    ...shownOf(sent),
  }
  await messages.add(kept)
  void show(kept)
  return {}
}

/** Shows a message and its file to the customer, and reports it as delivered. */
async function show(message: Message): Promise<void> {
  const msgid = String(message.message_id)
  try {
    if (message.media) message.file = await fetched(message.media)
    message.state = 'shown'
    process.stdout.write(`to ${message.customer}: ${message.text || message.media}\n`)
    await messages.save()
    await channel.report(msgid, DELIVERED)
  } catch (error) {
    process.stderr.write(`${msgid}: ${error}\n`)
    if (message.state === 'shown') return
    message.state = 'failed'
    await messages.save()
    await channel.report(msgid, FAILED, String(error)).catch(() => {})
  }
}

async function fetched(media: string): Promise<string> {
  const response = await fetch(media, { signal: AbortSignal.timeout(30_000) })
  if (!response.ok) throw new Error(`the file was answered with ${response.status}`)
  const file = join(settings.folder, randomUUID())
  await writeFile(file, Buffer.from(await response.arrayBuffer()))
  return file
}

/** The customer has read the messages. */
async function read(): Promise<unknown> {
  const unread = messages.all.filter(({ state }) => state === 'shown')
  for (const message of unread) {
    await channel.report(String(message.message_id), READ)
    message.state = 'read'
  }
  await messages.save()
  return { read: unread.length }
}

/** Requires JSON, which forms of other sites cannot send. */
async function readJson(request: IncomingMessage): Promise<Said> {
  if (request.headers['content-type'] !== 'application/json') throw new BadRequest(415, 'only JSON')
  return parse(await readBody(request))
}

const files: Record<string, string> = { '/': 'text/html; charset=utf-8', '/avatar.svg': 'image/svg+xml' }

async function answerTo(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname } = new URL(request.url ?? '/', own_url)
  if (pathname.startsWith(settings.callback_path)) return answer(response, 200, await callback(request))
  const page = pages[`${request.method} ${pathname}`]
  if (page) return answer(response, 200, await page(request))
  const type = files[pathname]
  if (!type) return answer(response, 404, { error: 'no such page' })
  const file = pathname === '/' ? 'page.html' : pathname.slice(1)
  response.writeHead(200, { 'content-type': type }).end(await readFile(join(import.meta.dirname, file)))
}

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    await answerTo(request, response)
  } catch (error) {
    const status = error instanceof BadRequest || error instanceof Refused ? error.status : 502
    answer(response, status, { error: String(error) })
  }
}

function answer(response: ServerResponse, status: number, body: unknown = {}): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body, null, 2))
}

createServer(handle).listen(settings.port, '127.0.0.1', async () => {
  process.stdout.write(`The provider is ready: ${own_url}/\n`)
  try {
    process.stdout.write(`connected: ${await channel.connect()}\n`)
  } catch (error) {
    const reason = error instanceof TypeError ? `${settings.chat_url} does not answer` : error
    process.stdout.write(`not connected: ${reason}\n`)
  }
  // Messages that were received but not shown before the last stop.
  for (const message of messages.all) if (message.state === 'kept') await show(message)
})
