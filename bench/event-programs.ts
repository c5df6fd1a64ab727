import { join } from 'node:path'
import { freePort } from '../src/commands/ports.ts'
import type { Databases } from './databases.ts'
import { type EventAccount, fillAccount } from './event-account.ts'
import { addToken, eventText, openStore } from './floors/events.ts'
import { type Program, startProgram } from './programs.ts'
import { startServer } from './server.ts'

/** The real program and its floor, both with the log of one account. */
export interface EventPrograms extends AsyncDisposable {
  server: Program
  account: EventAccount
  floor: Program
  /** A token that the floor knows. */
  floor_token: string
}

/** Fills both with the same rows: the log, or with `notes` the notes. */
export async function startBoth(
  databases: Databases,
  events: number,
  of: 'events' | 'notes',
): Promise<EventPrograms> {
  const address = (await databases.create('floor')) || join(databases.folder, 'floor', 'floor.db')
  const store = await openStore(databases.name, address)
  const { program: server, ...account } = await startServer(databases, (ctx) =>
    fillAccount(ctx, events, ({ events, notes }) =>
      of === 'events' ? store.fill(events.map(eventText), []) : store.fill([], notes),
    ),
  )
  await store.close()
  const floor_token = await addToken(databases.name, address)
  const port = await freePort()
  const floor = await startProgram({
    words: [join(import.meta.dirname, 'floors/events.ts'), String(port), databases.name, address],
    port,
    ready: '/ready',
    output: join(databases.folder, 'floor.log'),
  })
  const stop = async () => {
    await floor[Symbol.asyncDispose]()
    await server[Symbol.asyncDispose]()
  }
  return { server, account, floor, floor_token, [Symbol.asyncDispose]: stop }
}

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

/** Returns the answer of the real program. Throws unless it is 200. */
export async function ask<Answer>({ port }: Program, path: string, token: string): Promise<Answer> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers: bearer(token) })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${path} answered ${response.status}: ${text.slice(0, 300)}`)
  return JSON.parse(text) as Answer
}
