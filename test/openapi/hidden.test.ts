import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { completeRights } from '../../src/accounts/members/rights.ts'
import type { Tables } from '../../src/db/tables.ts'
import { permissions } from '../../src/integrations/registry/schemas.ts'
import { client } from '../client.ts'
import { connect, register } from '../fixtures/integrations.ts'
import { times } from '../long.ts'
import { type Person, type World, world } from '../world.ts'
import { rowsOf } from './changes.ts'
import { type Description, descriptionOf } from './description.ts'
import { composed, plansOf } from './requests.ts'
import { callerOf, seed } from './seeds.ts'
import { Stock } from './stock.ts'

const SEED = 99
/** Requests to each operation. */
const RUNS = times(2, 20)
/** Tables with what rights hide. Names of settings, such as stages and tags, are for everybody of the account. */
const HIDDEN = [
  'entities',
  'notes',
  'tasks',
  'transactions',
  'conversations',
  'chat_messages',
  'files',
  'jobs',
]

interface Place {
  all: World
  description: Description
  stock: Stock
  /** Ids and uuids of rows in HIDDEN. They are unique across all tables. */
  hidden: ReadonlySet<string>
}

/** An account with records of every kind, all of its administrator. */
async function place(): Promise<Place> {
  const all = await world({ kind: 'sqlite' })
  await all.ctx.db.transaction().execute((tx) =>
    sql`update sequences set last = 1000000 * (
      select count(*) from sequences as other where other.name <= sequences.name)`.execute(tx),
  )
  const description = await descriptionOf(all.app.http)
  const stock = new Stock(description)
  const caller = await callerOf(all, stock)
  for (let i = 0; i < 3; i++) await seed(all, caller, stock)
  const hidden = new Set<string>()
  for (const table of HIDDEN as (keyof Tables)[]) {
    const { rows } = await sql<{
      id?: number | string
      uuid?: string
    }>`select * from ${sql.table(table)}`.execute(all.ctx.db)
    for (const { id, uuid } of rows)
      for (const name of [id, uuid]) if (name !== undefined) hidden.add(`${name}`)
  }
  return { all, description, stock, hidden }
}

const WORD = /(?<![\w-])[\w-]{4,}(?![\w-])/g
/** The name of a lead without one. The stock has names, which are sent as names of other things. */
const LEAD = /Lead #\d+/g

/** Sends correct requests of every operation as an integration of this person, and returns what the answers reveal. */
async function revealed({ all, description, stock, hidden }: Place, person: Person, token: string) {
  const { host } = person.browser.identity
  const identity = { host, authorization: `Bearer ${token}` }
  const found: string[] = []
  let answered = 0
  for (const [i, operation] of description.operations.entries())
    for (const plan of fc.sample(plansOf(description, operation), { numRuns: RUNS, seed: SEED + i })) {
      const { method, url, payload, headers } = composed({ ...plan, variant: 'right' }, stock, identity)
      const { statusCode, body } = await all.app.http.inject({
        ...{ method: method as 'GET', url, headers: { ...headers, ...identity } },
        ...(payload !== undefined && { payload }),
      })
      if (statusCode < 300) answered++
      const sent = `${decodeURIComponent(url)} ${payload ?? ''}`
      const ids = (body.replace(LEAD, '').match(WORD) ?? []).filter(
        (word) => hidden.has(word) && !sent.includes(word),
      )
      if (ids.length > 0) found.push(`${method} ${sent.slice(0, 300)}: ${ids[0]} in ${body.slice(0, 300)}`)
    }
  // Enough requests must succeed for a meaningful result.
  expect(answered).toBeGreaterThan(description.operations.length / 4)
  return found
}

/** A token of an integration with all permissions, as the person is now. */
async function tokenOf({ app }: World, person: Person): Promise<string> {
  const integration = await register(person, { permissions: [...permissions], multiple_sources: true })
  const stranger = client(app.http, { host: person.browser.identity.host })
  return (await connect(stranger, integration)).access_token
}

test('no answer to another account has ids of this one, and nothing here changes', {
  timeout: 300_000,
}, async () => {
  const here = await place()
  const { all } = here
  const other = await all.addPerson({ is_admin: true, account: await all.addAccount('another') })
  const token = await tokenOf(all, other)
  const before = await rowsOf(all.ctx, all.account.id)
  expect(await revealed(here, other, token)).toEqual([])
  expect(await rowsOf(all.ctx, all.account.id)).toEqual(before)
})

test('no answer to a person without rights has ids of hidden records', { timeout: 300_000 }, async () => {
  const here = await place()
  const { all } = here
  const nora = await all.addPerson({ name: 'Nora', is_admin: true })
  const token = await tokenOf(all, nora)
  await all.ctx.db.transaction().execute((tx) =>
    tx
      .updateTable('members')
      .set({ is_admin: 0, rights: JSON.stringify(completeRights({})) })
      .where('user_id', '=', nora.id)
      .execute(),
  )
  expect(await revealed(here, nora, token)).toEqual([])
})
