import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'
import type { Place } from './databases.ts'
import { foundAccount } from './founding.ts'
import { lastingPort, type Program, startProgram } from './program.ts'
import { openWebSession, signIn, type WebSession } from './web-session.ts'

/** A received callback. */
export interface Arrival {
  /** The number of the run of the program. */
  run: number
  conversation: string
  text: string
  webhook_id: string
  message_id: string
}

/**
 * The program with its own data, which is started and killed repeatedly, and a channel with callbacks to this process.
 */
export interface Hub {
  /** The address of the running program. */
  base: string
  arrivals: Arrival[]
  /** Starts the program; undefined if it was killed before it was ready. */
  start(through?: string[]): Promise<Program | undefined>
  /** Calls the running program as the administrator; undefined if it is killed meanwhile. */
  ask(method: string, path: string, body?: unknown): Promise<Answered | undefined>
  /** Signs the administrator in to the running program and returns the headers of their requests. */
  signIn(): Promise<Record<string, string>>
  /** Calls as the provider, with the channel's scope. */
  push(payload: object): Promise<Answered | undefined>
}

type Answered = Awaited<ReturnType<WebSession>>

/** At this speed, the one-minute lease of a dead process ends in seconds, and a running attempt stays within it. */
const CLOCK_SPEED = 8
/** The longest page of messages. */
const PAGE = 250

/** On a new database, or on an empty one, with additional settings. */
export async function createHub(place?: Place, more: Record<string, string> = {}): Promise<Hub> {
  // Its callbacks come to this machine.
  const outbound = { OUTBOUND_ALLOW: '127.0.0.0/8' }
  const { env: founded, admin, patchbay } = await foundAccount(place, outbound)
  const port = lastingPort()
  const base = `http://127.0.0.1:${port}`
  const env = {
    ...founded,
    PORT: port,
    LOG_LEVEL: 'error',
    NODE_OPTIONS: `--import ${new URL('fast-clock.ts', import.meta.url)}`,
    CLOCK_BEGAN: String(Date.now()),
    CLOCK_SPEED: String(CLOCK_SPEED),
    ...more,
  }
  let runs = 0
  const { arrivals, url, waitUntilIdle } = await receive(() => runs)
  const of = ['--account', 'demo', '--user', admin.email, '--name', 'Messenger']
  const said = await patchbay('channel', 'create', ...of, '--callback-url', `${url}/callback`, '--connect')
  const [secret = '', scope_id] = ['secret', 'scope_id'].map((name) => said.match(`${name}: (\\S+)`)?.[1])

  let session: WebSession | undefined
  return {
    base,
    arrivals,
    signIn: () => signIn(base, admin),
    start: async (through) => {
      // Callbacks of a killed program may still be in the buffers of its connections.
      await waitUntilIdle()
      runs++
      const program = await startProgram('serve', env, through).catch((error) => {
        if (!through) throw error
      })
      if (!program) return undefined
      session ??= await openWebSession(base, admin)
      return program
    },
    ask: (method, path, body) => unlessKilled(session?.(method, new URL(path, base).href, body)),
    push: (payload) => unlessKilled(push(`${base}/v2/origin/custom/${scope_id}`, secret, payload)),
  }
}

const unlessKilled = <T>(asking: Promise<T> | undefined): Promise<T | undefined> =>
  Promise.resolve(asking).catch(() => undefined)

async function push(url: string, secret: string, payload: object): Promise<Answered> {
  const body = JSON.stringify({ event_type: 'new_message', payload })
  const signature = createHmac('sha1', secret).update(body).digest('hex')
  const headers = { 'content-type': 'application/json', 'x-signature': signature }
  const answer = await fetch(url, { method: 'POST', headers, body })
  return { status: answer.status, body: await answer.json() }
}

/** Accepts every complete callback. Between two programs it waits for the end of the first one's connections. */
async function receive(run: () => number) {
  const arrivals: Arrival[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('error', () => {})
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      const { conversation_id: conversation, text } = JSON.parse(body)
      const { 'webhook-id': webhook_id, 'x-message-id': message_id } = request.headers as Record<
        string,
        string
      >
      arrivals.push({
        run: run(),
        conversation,
        text,
        webhook_id: webhook_id ?? '',
        message_id: message_id ?? '',
      })
      response.end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const count = promisify(server.getConnections.bind(server))
  const waitUntilIdle = async () => {
    do await sleep(10)
    while ((await count()) > 0)
  }
  return { arrivals, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, waitUntilIdle }
}

export interface StoredMessage {
  id: string
  direction: 'in' | 'out'
  text: string
  state: string
  position: number
}

/** The conversations by the provider's name, with their messages in order. */
export async function readThreads(hub: Hub): Promise<Map<string, StoredMessage[]>> {
  const threads = new Map<string, StoredMessage[]>()
  for (const { id, conversation_id } of await readChats(hub))
    threads.set(conversation_id, await readThread(hub, id))
  return threads
}

const readChats = (hub: Hub): Promise<{ id: string; conversation_id: string }[]> =>
  embedded(hub, '/web/v4/chats?limit=250', 'chats')

async function readThread(hub: Hub, id: string): Promise<StoredMessage[]> {
  const thread: StoredMessage[] = []
  for (let before = ''; ; before = `&before=${thread[0]?.position}`) {
    const path = `/web/v4/chats/${id}/messages?limit=${PAGE}${before}`
    const page: StoredMessage[] = await embedded(hub, path, 'messages')
    thread.unshift(...page.toReversed())
    if (page.length < PAGE) return thread
  }
}

const isPending = ({ state }: StoredMessage): boolean => state === 'pending'

/** The same, after nothing is left to send. `patience_ms` is the time for the next message of a chat. */
export async function readDelivered(hub: Hub, patience_ms: number): Promise<Map<string, StoredMessage[]>> {
  // One chat after the other, because a program that answers many requests sends late.
  for (const { id } of await readChats(hub)) {
    const pending = async () => (await readThread(hub, id)).filter(isPending).length
    let until = 0
    for (let left = Number.POSITIVE_INFINITY, now = await pending(); now > 0; now = await pending()) {
      if (now < left) until = Date.now() + patience_ms
      else if (Date.now() > until) throw new Error(`${now} messages of ${id} still wait to be sent`)
      left = now
      await sleep(250)
    }
  }
  return readThreads(hub)
}

// biome-ignore lint/suspicious/noExplicitAny: the rows of two lists
async function embedded(hub: Hub, path: string, name: string): Promise<any[]> {
  const answer = await hub.ask('GET', path)
  if (answer?.status === 204) return []
  if (answer?.status !== 200) throw new Error(`${path}: ${JSON.stringify(answer)}`)
  return answer.body._embedded[name]
}
