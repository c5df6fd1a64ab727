import { createHash, randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { ulidToUUID } from 'ulid'
import { openPostgres } from './push-rows-postgres.ts'
import { openSqlite } from './push-rows-sqlite.ts'
import { newId } from './row-values.ts'
import type { Request } from './rows.ts'
import { type Pushed, servePushes } from './signed-pushes.ts'

/**
 * The least program that leaves the rows of a pushed message as the real one does, in a copy of its database: the message, the
 * state of its conversation and an event, in one durable transaction. It verifies the signature and reads the conversation, which
 * must exist. It validates nothing, and looks for no earlier message, sender, integration, bot or webhook.
 * `test/databases/floor-rows.both.test.ts` compares the rows.
 *
 *   node bench/floors/push-rows.ts PORT sqlite|postgres ADDRESS CHANNEL
 *
 * ADDRESS is the copy, and CHANNEL is in JSON.
 */
export interface Store {
  add(message: NewMessage, by: Request): Promise<{ conversation_id: string; sender_id: string }>
  close(): Promise<void>
}

/** The channel that all messages come from. */
export interface Channel {
  account_id: number
  channel_id: string
  secret: string
}

export interface NewMessage {
  id: string
  event_id: string
  /** The name of the conversation at the provider. */
  conversation: string
  msgid: string
  text: string
  /** Unix seconds. */
  sent_at: number
  body_hash: Buffer
}

export const openStore = (database: string, address: string, channel: Channel): Promise<Store> =>
  database === 'postgres' ? openPostgres(address, channel) : openSqlite(address, channel)

/** The rows that a push becomes. */
export function messageOf(body: Buffer): NewMessage {
  const { payload } = JSON.parse(body.toString()) as Pushed
  return {
    id: ulidToUUID(newId().toUpperCase()).toLowerCase(),
    event_id: newId(),
    conversation: payload.conversation_id,
    msgid: payload.msgid,
    text: payload.message.text,
    sent_at: payload.timestamp,
    body_hash: createHash('sha256').update(body).digest(),
  }
}

const serve = (store: Store, { secret }: Channel): FastifyInstance =>
  servePushes(secret, async (body) => {
    const message = messageOf(body)
    const by = { id: randomUUID(), at: Math.floor(Date.now() / 1000) }
    const { conversation_id, sender_id } = await store.add(message, by)
    return { new_message: { conversation_id, sender_id, msgid: message.id, ref_id: message.msgid } }
  })

if (import.meta.main) {
  const [port, database = 'sqlite', address = '', json = ''] = process.argv.slice(2)
  const channel: Channel = JSON.parse(json)
  const store = await openStore(database, address, channel)
  const app = serve(store, channel)
  await app.listen({ host: '127.0.0.1', port: Number(port) })
  process.once('SIGTERM', async () => {
    await app.close()
    await store.close()
  })
}
