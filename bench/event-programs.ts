import { join } from 'node:path'
import { freePort } from '../src/commands/ports.ts'
import type { Context } from '../src/context.ts'
import type { Databases } from './databases.ts'
import { type EventAccount, fillAccount } from './event-account.ts'
import { addToken, eventText, openStore } from './floors/events.ts'
import type { Constants } from './floors/rows.ts'
import { type Program, startProgram } from './programs.ts'
import { BASE, COPY, type RowFloor, startRowFloor } from './row-floor.ts'
import { startServer } from './server.ts'

/** The real program and its floor, both with the log of one account. */
export interface EventPrograms extends AsyncDisposable {
  server: Program
  account: EventAccount
  floor: Program
  /** The floor that works with the same rows. */
  rows: RowFloor
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
  const isOfNotes = of === 'notes'
  const fill = (ctx: Context) =>
    fillAccount(ctx, events, ({ events, notes }) =>
      isOfNotes
        ? store.fill([], notes)
        : store.fill(
            events.map((row) => eventText(row)),
            [],
          ),
    )
  const { program: server, ...account } = await startServer(databases, fill, { copy: COPY })
  await store.close()
  const floor_token = await addToken(databases.name, address)
  const port = await freePort()
  const floor = await startProgram({
    words: [join(import.meta.dirname, 'floors/events.ts'), String(port), databases.name, address],
    port,
    ready: '/ready',
    output: join(databases.folder, 'floor.log'),
  })
  const known = { token: floor_token, address }
  const rows = await startRowFloor(databases, known, constantsOf(account))
  const stop = async () => {
    await rows[Symbol.asyncDispose]()
    await floor[Symbol.asyncDispose]()
    await server[Symbol.asyncDispose]()
  }
  return { server, account, floor, rows, floor_token, [Symbol.asyncDispose]: stop }
}

const constantsOf = ({ admin, fixtures }: EventAccount): Constants => {
  const { account_id, pipeline_id, stages, owners, few, fields, old_field } = fixtures
  return {
    ...admin,
    account_id,
    owners: { many: owners[0] as number, few },
    pipeline_id,
    status_id: stages[0] as number,
    base: BASE,
    fields: [...fields, old_field],
  }
}

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

/** Returns the answer of the real program. Throws unless it is 200. */
export async function ask<Answer>({ port }: Program, path: string, token: string): Promise<Answer> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers: bearer(token) })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${path} answered ${response.status}: ${text.slice(0, 300)}`)
  return JSON.parse(text) as Answer
}
