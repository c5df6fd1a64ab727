import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { findAccountBySubdomain } from '../src/accounts/accounts.ts'
import { createChannel } from '../src/chats/channels/channels.ts'
import { lockConversation } from '../src/chats/conversations/conversation-queries.ts'
import { sendMessage } from '../src/chats/messages/send.ts'
import { freePort } from '../src/commands/ports.ts'
import type { Context } from '../src/context.ts'
import { isPostgres } from '../src/db/dialect.ts'
import type { Databases } from './databases.ts'
import type { Arrivals } from './floors/receiver.ts'
import { sign } from './floors/signed-pushes.ts'
import { requestBytes } from './load.ts'
import { type Program, startProgram } from './programs.ts'
import { COPY } from './row-floor.ts'
import { exchange, makeCodes, openAccount, prepareServer } from './server.ts'

/** Conversations that exist before the measurement. */
export const CONVERSATIONS = 200

/** The real program with a connected channel, its floor, and the receiver of both. */
export interface ChatPrograms extends AsyncDisposable {
  server: Program
  /** The contents of the account. */
  account: ChatAccount
  floor: Program
  /** The floor that writes the same rows as a push. */
  rows: Program
  receiver: Receiver
  /** Stops the real program, writes this many messages, and restarts it, which sends them. */
  restartWith(messages: number): Promise<void>
}

interface ChatAccount {
  account_id: number
  user_id: number
  amojo_id: string
  access_token: string
  channel_id: string
  secret: string
  /** The ids of the conversations. */
  chats: string[]
}

export interface Receiver {
  port: number
  /** The arrivals since the previous call. */
  arrivals(): Promise<Arrivals>
  /** Waits for this many arrivals and returns them. */
  waitFor(count: number): Promise<Arrivals>
}

const PATIENCE_MS = 60_000

export async function startChatPrograms(databases: Databases): Promise<ChatPrograms> {
  const started: Program[] = []
  const run = async (words: string[], ready: string) => {
    const port = await freePort()
    const [file, ...rest] = words
    const program = await startProgram({
      words: [join(import.meta.dirname, file as string), String(port), ...rest],
      port,
      ready,
      output: join(databases.folder, 'floor.log'),
    })
    started.push(program)
    return program
  }
  const receiver = receiverAt((await run(['floors/receiver.ts'], '/ready')).port)
  const address = (await databases.create('floor')) || join(databases.folder, 'floor', 'floor.db')
  const floor = await run(['floors/chats.ts', databases.name, address, String(receiver.port)], '/ready')
  const prepared = await prepareServer(databases, { OUTBOUND_ALLOW: '127.0.0.0/8' })
  const made = await prepared.offline((ctx) => makeAccount(ctx, receiver.port))
  const first = await prepared.start()
  const account = { ...made, chats: await openChats(first, made) }
  await first[Symbol.asyncDispose]()
  await prepared.offline(countRows)
  await databases.copy(prepared.name, COPY)
  const { account_id, channel_id, secret } = account
  const channel = JSON.stringify({ account_id, channel_id, secret })
  const rows = await run(
    ['floors/push-rows.ts', databases.name, databases.addressOf(COPY), channel],
    '/ready',
  )
  const programs = { server: await prepared.start() }
  return Object.assign(programs, {
    account,
    floor,
    rows,
    receiver,
    restartWith: async (messages: number) => {
      await programs.server[Symbol.asyncDispose]()
      await prepared.offline((ctx) => writeMessages(ctx, account, messages))
      programs.server = await prepared.start()
    },
    [Symbol.asyncDispose]: async () => {
      for (const program of [programs.server, ...started]) await program[Symbol.asyncDispose]()
    },
  })
}

async function makeAccount(ctx: Context, receiver: number) {
  const { actor, keys } = await openAccount(ctx)
  const draft = { name: 'Bench', callback_url: `http://127.0.0.1:${receiver}/callback` }
  const channel = await createChannel(ctx, actor, draft)
  const [code] = (await makeCodes(ctx, actor, keys.client_id, 1)) as [string]
  const { access_token } = await exchange(ctx, keys, code)
  const amojo_id = (await findAccountBySubdomain(ctx.db, 'bench'))?.amojo_id as string
  const { account_id, user_id } = actor
  const { channel_id, secret } = channel.keys
  return { account_id, user_id, amojo_id, access_token, channel_id, secret, chats: [] as string[] }
}

/** Connects the channel and pushes the first message of each conversation, which creates its contact and lead. */
async function openChats({ port }: Program, account: ChatAccount): Promise<string[]> {
  const { channel_id, amojo_id, secret } = account
  const ask = async (path: string, body?: string) => {
    const headers: Record<string, string> = body
      ? { 'content-type': 'application/json', 'x-signature': sign(secret, body) }
      : { authorization: `Bearer ${account.access_token}` }
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      headers,
      ...(body && { method: 'POST', body }),
    })
    const text = await answer.text()
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${text.slice(0, 300)}`)
    return JSON.parse(text)
  }
  await ask(`/v2/origin/custom/${channel_id}/connect`, JSON.stringify({ account_id: amojo_id }))
  for (let n = 0; n < CONVERSATIONS; n++)
    await ask(`/v2/origin/custom/${channel_id}_${amojo_id}`, JSON.stringify(push(n, 'first')))
  const list = await ask(`/api/v4/chats?limit=${CONVERSATIONS}`)
  return list._embedded.chats.map(({ id }: { id: string }) => id)
}

/** PostgreSQL would do it by itself after a minute, and plan the statements badly until then. */
async function countRows({ db }: Context): Promise<void> {
  if (isPostgres(db)) await sql`analyze`.execute(db)
}

/** A push to one of the conversations, with its own msgid. */
const push = (conversation: number, msgid: string) => ({
  event_type: 'new_message',
  payload: {
    timestamp: 1_700_000_000,
    msgid: `${conversation} ${msgid}`,
    conversation_id: `conversation ${conversation}`,
    sender: {
      id: `customer ${conversation}`,
      avatar: 'https://messenger.example/avatar.png',
      name: `Customer ${conversation}`,
    },
    message: { type: 'text', text: `Is number ${msgid} still to be had, and in red too?` },
  },
})

/** The bytes of a signed push. */
export function pushBytes(path: string, secret: string, conversation: number, msgid: string): Buffer {
  const body = push(conversation, msgid)
  return requestBytes(path, { 'x-signature': sign(secret, JSON.stringify(body)) }, body)
}

const IN_A_TRANSACTION = 100

async function writeMessages(ctx: Context, account: ChatAccount, count: number): Promise<void> {
  const { account_id, user_id, chats } = account
  const cause = { account_id, user_id, request_id: 'bench' }
  for (let n = 0; n < count; n += IN_A_TRANSACTION)
    await ctx.db.transaction().execute(async (tx) => {
      for (let i = n; i < Math.min(count, n + IN_A_TRANSACTION); i++) {
        const conversation = await lockConversation(tx, account_id, chats[i % chats.length] as string)
        if (conversation)
          await sendMessage(ctx, tx, cause, conversation, { text: `Message ${i}`, origin: 'person' })
      }
    })
}

function receiverAt(port: number): Receiver {
  const arrivals = async () => (await (await fetch(`http://127.0.0.1:${port}/arrivals`)).json()) as Arrivals
  return {
    port,
    arrivals,
    waitFor: async (count) => {
      const until = Date.now() + PATIENCE_MS
      const all: Arrivals = {}
      for (;;) {
        Object.assign(all, await arrivals())
        const have = Object.keys(all).length
        if (have >= count) return all
        if (Date.now() > until) throw new Error(`${have} of ${count} messages have arrived`)
        await sleep(100)
      }
    },
  }
}
