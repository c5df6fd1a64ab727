import { randomUUID } from 'node:crypto'
import { Agent, request as httpRequest } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { openPostgres } from './chats-postgres.ts'
import { openSqlite } from './chats-sqlite.ts'
import { clock } from './receiver.ts'
import { type Pushed, servePushes, sign } from './signed-pushes.ts'

/**
 * The least program that takes messages and passes them on: the same framework, the same database with the same
 * durability. A push is verified and kept, with an event; what is written is kept in the same way, and sent when that is
 * committed. No conversation is looked for, nothing is checked, nothing is sent again, nobody asks what became of it.
 *
 *   node bench/floors/chats.ts PORT sqlite FILE RECEIVER_PORT
 *   node bench/floors/chats.ts PORT postgres URL RECEIVER_PORT
 */
export interface Store {
  /** A message and an event in one durable transaction. */
  add(message: NewMessage): Promise<void>
  close(): Promise<void>
}

export interface NewMessage {
  id: string
  conversation_id: string
  /** Unique per push. */
  msgid: string
  text: string
  sent_at: number
}

export const SECRET = 'floor'
/** The number of connections that the server has per endpoint. */
const SOCKETS = 4

const openStore = (database: string, address: string): Promise<Store> =>
  database === 'postgres' ? openPostgres(address) : openSqlite(address)

function serve(
  store: Store,
  send: (id: string, body: string, isKept: boolean) => Promise<void>,
): FastifyInstance {
  const app = servePushes(SECRET, async (body) => {
    const { payload } = JSON.parse(body.toString()) as Pushed
    const { msgid, conversation_id, timestamp, message } = payload
    const id = randomUUID()
    await store.add({ id, conversation_id, msgid, text: message.text, sent_at: timestamp })
    return { new_message: { conversation_id, sender_id: conversation_id, msgid: id, ref_id: msgid } }
  })
  app.post('/messages', async (request) => {
    const { conversation_id, text } = JSON.parse(String(request.body))
    const id = randomUUID()
    const at = Math.floor(clock() / 1000)
    await store.add({ id, conversation_id, msgid: id, text, sent_at: at })
    void send(id, callbackBody(conversation_id, text), true)
    return { id }
  })
  app.post('/loop', async (request) => {
    const { seconds, is_kept } = JSON.parse(String(request.body))
    const began = performance.now()
    const until = began + seconds * 1000
    let sent = 0
    const loop = async () => {
      for (; performance.now() < until; sent++) {
        const body = callbackBody(`conversation ${sent % 200}`, `Message ${sent}`)
        await send(`loop ${sent}`, body, is_kept)
      }
    }
    await Promise.all(Array.from({ length: SOCKETS }, loop))
    return { sent, per_second: sent / ((performance.now() - began) / 1000) }
  })
  return app
}

const callbackBody = (conversation_id: string, text: string): string =>
  JSON.stringify({ receiver: conversation_id, conversation_id, type: 'text', text })

/** Posts to the receiver, on persistent connections or on a new one each time. */
function sender(port: number) {
  const kept = new Agent({ keepAlive: true, maxSockets: SOCKETS })
  return (id: string, body: string, isKept: boolean) =>
    new Promise<void>((resolve, reject) => {
      const headers = {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        'x-signature': sign(SECRET, body),
        'x-message-id': id,
      }
      const request = httpRequest({ host: '127.0.0.1', port, method: 'POST', headers, agent: isKept && kept })
      request.on('error', reject).on('response', (response) => response.resume().on('end', resolve))
      request.end(body)
    })
}

if (import.meta.main) {
  const [port, database = 'sqlite', address = '', receiver] = process.argv.slice(2)
  const store = await openStore(database, address)
  const app = serve(store, sender(Number(receiver)))
  await app.listen({ host: '127.0.0.1', port: Number(port) })
  process.once('SIGTERM', async () => {
    await app.close()
    await store.close()
    process.exit(0)
  })
}
