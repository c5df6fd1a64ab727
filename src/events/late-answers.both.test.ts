import { setTimeout as sleep } from 'node:timers/promises'
import { CompiledQuery, type KyselyPlugin, type QueryId } from 'kysely'
import { expect, test } from 'vitest'
import { kindOfRun } from '../../test/databases/databases.ts'
import { queue } from '../../test/fixtures/deliveries.ts'
import { type World, world } from '../../test/world.ts'
import type { Actor } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import type { Tx } from '../db/database.ts'
import { settledEnd } from '../outbound/outgoing.ts'
import { recordEvents } from './events.ts'
import { readEventFilter } from './filters.ts'
import { newEvents } from './live.ts'

/** The context with a database whose next answer about open transactions is late: `act` runs before it arrives. */
function withLateAnswer(ctx: Context, act: () => Promise<void>): Context {
  const late = new Set<QueryId>()
  let isDone = false
  const plugin: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      const isQuestion = node.kind === 'RawNode' && JSON.stringify(node).includes('pg_stat_activity')
      if (isQuestion && !isDone) late.add(queryId)
      return node
    },
    async transformResult({ result, queryId }) {
      if (late.delete(queryId) && !isDone) {
        isDone = true
        await act()
      }
      return result
    },
  }
  return { ...ctx, db: ctx.db.withPlugin(plugin) }
}

/** A transaction that stays open after its work until it is ended. */
async function openTransaction(
  here: World,
  work: (tx: Tx) => Promise<unknown>,
): Promise<() => Promise<void>> {
  const begun = Promise.withResolvers<void>()
  const end = Promise.withResolvers<void>()
  const ended = here.ctx.db.transaction().execute(async (tx) => {
    await work(tx)
    begun.resolve()
    await end.promise
  })
  await Promise.race([begun.promise, ended])
  return async () => {
    end.resolve()
    await ended
  }
}

/** The clock of the world stands still, unlike that of the database. */
const timed = ({ ctx }: World): Context => ({ ...ctx, clock: Date.now })

const addEvent = (here: World, tx: Tx, entity_id: number) =>
  recordEvents(timed(here), tx, { account_id: here.account.id, user_id: here.admin.id, request_id: '' }, [
    { type: 'lead_added', entity_type: 'lead', entity_id, after: [{ note: { id: 1 } }] },
  ])

const committed = (here: World, entity_id: number) =>
  here.ctx.db.transaction().execute((tx) => addEvent(here, tx, entity_id))

/** The records of the first `count` events of a stream. */
async function streamed(ctx: Context, here: World, count: number): Promise<number[]> {
  const stop = new AbortController()
  // A lost event never arrives.
  const timer = setTimeout(() => stop.abort(), 60_000)
  const actor = { account_id: here.account.id } as Actor
  const readers = { current: async () => ({ actor, visibilities: null }) }
  const everything = await readEventFilter(ctx, undefined)
  const records: number[] = []
  for await (const page of newEvents(ctx, readers, everything, { after: '0' }, stop.signal)) {
    records.push(...page.map(({ entity_id }) => entity_id))
    if (records.length >= count) break
  }
  clearTimeout(timer)
  return records
}

test.runIf(kindOfRun() === 'postgres').for([
  { name: 'no transaction was open', isOlderOpen: false },
  { name: 'another one was open', isOlderOpen: true },
])(
  'a stream sends the event of a transaction that begins before a late answer about open ones arrives: $name',
  async ({ isOlderOpen }) => {
    const here = await world()
    await committed(here, 1)
    const select = (tx: Tx) => tx.executeQuery(CompiledQuery.raw('select 1'))
    const endOlder = isOlderOpen ? await openTransaction(here, select) : async () => {}
    const ends = [endOlder]
    const late = withLateAnswer(timed(here), async () => {
      await sleep(50)
      ends.push(await openTransaction(here, (tx) => addEvent(here, tx, 2)))
      await committed(here, 3)
      // Longer than the older transaction has been open.
      await sleep(1_000)
      // The stream reads what is there once, before the transactions end.
      setTimeout(() => {
        for (const end of ends) void end()
      }, 200)
    })
    expect(await streamed(late, here, 3)).toEqual([1, 2, 3])
  },
)

test.runIf(kindOfRun() === 'postgres')(
  'deliveries are settled up to the start of the oldest open transaction, also if the answer about it is late',
  async () => {
    const here = await world()
    await queue(here, [{ url: 'https://example.com/' }])
    const end = await openTransaction(here, (tx) => tx.executeQuery(CompiledQuery.raw('select 1')))
    const asked_at = here.clock.now()
    const late = withLateAnswer(here.ctx, async () => here.clock.advance(5))
    expect((await settledEnd(late, here.account.id)).before).toBeLessThan(asked_at)
    await end()
  },
)
