import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A minimal chat provider that stores callbacks and responds as configured. */
export interface Callbacks {
  url: string
  /** Correctly signed callbacks, oldest first. */
  taken: Sent[]
  /** The number of callbacks with a wrong signature. */
  strangers(): number
  answer(status: number): void
  stop(): void
}

export interface Sent {
  type: string
  text: string
  receiver: string
  media?: string
  thumbnail?: string
  file_name?: string
  webhook_id: string
  message_id: string
  status: number
  /** Of a callback about typing or a reaction. */
  action?: { typing?: object; reaction?: { type: string; emoji: string } }
}

export async function takeCallbacks(secretOf: () => string): Promise<Callbacks> {
  const taken: Sent[] = []
  let strangers = 0
  let status = 200
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    const { 'webhook-id': webhook_id, 'x-message-id': message_id, 'x-signature': signature } = request.headers
    if (signature !== sign(secretOf(), body)) strangers += 1
    else
      taken.push({
        ...JSON.parse(body.toString()),
        webhook_id: String(webhook_id),
        message_id: String(message_id),
        status,
      })
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback/:scope_id`,
    taken,
    strangers: () => strangers,
    answer: (next) => {
      status = next
    },
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

const sign = (secret: string, body: string | Buffer): string =>
  createHmac('sha1', secret).update(body).digest('hex')

/** Distinguishes runs on the same channel. */
let pushed = Date.now()

interface Channel {
  scope_id: string
  secret: string
}

/** Pushes a message of a customer, signed by the provider. */
export async function pushTo(
  base: string,
  channel: Channel,
  { from, message }: { from: { id: string; name: string }; message: object },
): Promise<void> {
  pushed += 1
  await post(base, channel, channel.scope_id, {
    event_type: 'new_message',
    payload: {
      timestamp: Math.floor(Date.now() / 1000),
      msgid: `${channel.scope_id} ${pushed}`,
      conversation_id: `chat-${from.id}`,
      sender: { ...from, avatar: 'https://avatars.example/one.png' },
      message,
    },
  })
}

/** Connects the account again, for callbacks of v2. */
export const connectAnew = (
  base: string,
  channel: Channel & { id: string },
  account_id: string,
): Promise<void> => post(base, channel, `${channel.id}/connect`, { account_id, hook_api_version: 'v2' })

async function post(base: string, { secret }: Channel, path: string, content: object): Promise<void> {
  const body = JSON.stringify(content)
  const answer = await fetch(`${base}/v2/origin/custom/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-signature': sign(secret, body) },
    body,
  })
  if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`)
}
