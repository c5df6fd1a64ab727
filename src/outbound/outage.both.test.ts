import type { KyselyPlugin } from 'kysely'
import { expect, test } from 'vitest'
import { answering, queue, worker } from '../../test/fixtures/deliveries.ts'
import { times } from '../../test/long.ts'
import { type World, world } from '../../test/world.ts'
import type { Context } from '../context.ts'
import { findCircuits } from './circuit-breaker.ts'
import { OPENING } from './circuit-queries.ts'
import type { Outbound } from './http-client.ts'

const CIRCUIT = 'channel:1'

/** One message of each conversation. The body contains the conversation and the round. */
const queueRound = (here: World, url: string, conversations: number, round: number) =>
  queue(
    here,
    Array.from({ length: conversations }, (_, i) => ({
      url,
      ordering_key: `chat ${i}`,
      circuit: CIRCUIT,
      body: JSON.stringify([i, round]),
    })),
  )

const statesOf = async ({ ctx }: World) => {
  const rows = await ctx.db
    .selectFrom('deliveries')
    .select((eb) => ['state', eb.fn.countAll<number>().as('count')])
    .groupBy('state')
    .execute()
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]))
}

test('a receiver that is down for an hour gets everything soon after it is up, each conversation in order', async () => {
  const here = await world()
  const back_at = here.clock.now() + 3600
  const isDown = () => here.clock.now() < back_at
  const taken: [number, number][] = []
  const { url, hits } = await answering(({ body }) => {
    if (isDown()) return 503
    taken.push(JSON.parse(body))
    return 200
  })
  const { runDue } = worker(here.ctx)
  let asked = 0
  for (let minute = 0; minute < 73; minute++) {
    if (minute % 12 === 0 && minute < 60) await queueRound(here, url, 200, minute / 12)
    await runDue()
    if (isDown()) asked = hits.length
    here.clock.advance(60)
  }
  // The attempts at the opening, then one per step: 5 s, 30 s, 2 min, and every ten minutes.
  expect(asked).toBeLessThan(16 + 3 + 8)
  expect(await statesOf(here)).toEqual({ delivered: 1000 })
  expect([taken.length, new Set(taken.map(String)).size]).toEqual([1000, 1000])
  const rounds = Map.groupBy(taken, ([conversation]) => conversation)
  expect([...rounds.values()].filter((sent) => sent.some(([, round], i) => round !== i))).toEqual([])
})

/** A receiver without a network, to measure only the queue. */
function instant(up: () => boolean) {
  const sent: string[] = []
  const outbound: Outbound = {
    request: async ({ body = '' }) => {
      await new Promise((resolve) => setImmediate(resolve))
      if (up()) sent.push(body)
      return { status: up() ? 200 : 500, headers: {}, body: '', duration_ms: 1 }
    },
    close: async () => {},
  }
  return { outbound, sent }
}

/** Counts statements and the rows that they return. */
function counted(ctx: Context, outbound: Outbound) {
  const count = { statements: 0, rows: 0 }
  const counting: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      count.statements++
      count.rows += result.rows.length
      return result
    },
  }
  return { count, ctx: { ...ctx, outbound, db: ctx.db.withPlugin(counting) } }
}

test('thousands of waiting deliveries cost a poll nothing, and are sent when the receiver is up', {
  timeout: 240_000,
}, async () => {
  const here = await world()
  let up = false
  const { outbound, sent } = instant(() => up)
  const { count, ctx } = counted(here.ctx, outbound)
  const { runDue } = worker(ctx)
  const [conversations, rounds] = [times(100, 2_000), 10]
  const all = conversations * rounds
  for (let round = 0; round < rounds; round++) await queueRound(here, 'http://1.2.3.4/', conversations, round)

  const tries = await runDue()
  // At most 16 are in flight, and each failure before the one that opens the circuit makes room for another.
  expect(tries).toBeLessThanOrEqual(16 + OPENING - 1)
  // Each delivery was read once, most of them a page at a time, and then paused or held.
  expect(count.statements).toBeLessThan(all / 20 + 180)
  expect(count.rows).toBeLessThan(3 * all)

  count.statements = count.rows = 0
  expect(await runDue()).toBe(0)
  expect(count.statements).toBeLessThanOrEqual(2)
  expect(count.rows).toBeLessThanOrEqual(1)

  const circuit = async () => (await findCircuits(here.ctx.db, [CIRCUIT])).get(CIRCUIT)
  here.clock.set((await circuit())?.next_probe_at ?? 0)
  count.statements = 0
  expect(await runDue()).toBe(1)
  expect(count.statements).toBeLessThan(40)

  up = true
  here.clock.set((await circuit())?.next_probe_at ?? 0)
  count.statements = 0
  await runDue()
  here.clock.advance(60)
  await runDue()
  expect(await statesOf(here)).toEqual({ delivered: all })
  // Six statements store an outcome; polls need fewer than that again.
  expect(count.statements).toBeLessThan(12 * all)
  const order = Map.groupBy(
    sent.map((body): [number, number] => JSON.parse(body)),
    ([lane]) => lane,
  )
  expect([...order.values()].filter((lane) => lane.some(([, round], i) => round !== i))).toEqual([])
  expect([sent.length, await circuit()]).toMatchObject([
    all,
    { failures: 0, next_probe_at: null, waiting: 0 },
  ])
})
