import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { answering, queue, rowOf, worker } from '../../test/fixtures/deliveries.ts'
import { misbehavingReceivers, startReceiver } from '../../test/programs/misbehaving-receivers.ts'
import { type World, world } from '../../test/world.ts'
import { type DeliveryKind, listAttempts } from './deliveries.ts'

setFlagsFromString('--expose-gc')
// Taken at once: a server that another thread starts changes the flag later.
const collectGarbage: () => void = runInNewContext('gc')

/** Memory of this thread after a garbage collection. */
function held(): number {
  collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

const pending = async ({ ctx }: World) =>
  (await ctx.db.selectFrom('deliveries').select('id').where('ended_at', 'is', null).execute()).length

/** How each delivery ended, by its id. */
function ends(kind: DeliveryKind = {}): DeliveryKind & { ends: Map<number, number | string | null> } {
  const ended = new Map<number, number | string | null>()
  return {
    ...kind,
    ends: ended,
    delivered: async (_, { id }, { status }) => void ended.set(id, status),
    failed: async (_, { id }, _attempt, why) => void ended.set(id, why),
  }
}

describe('bad receivers', () => {
  test('each ends by the schedule, leaves no open connection and little in memory', async () => {
    const here = await world()
    const animals = Object.entries(misbehavingReceivers)
    const cages = await Promise.all(animals.map(([, animal]) => startReceiver(animal)))
    // Short limits for receivers that hang: there are eleven attempts.
    const hangs = new Set(cages.filter((_, i) => animals[i]?.[1].error === 'timeout').map(({ url }) => url))
    const kind = ends({ prepare: async ({ url }) => (hangs.has(url) ? { timeout_ms: 50 } : {}) })
    const { runDue } = worker(here.ctx, kind)
    const ids = await queue(
      here,
      cages.map(({ url }) => ({ url })),
    )
    await runDue()
    const before = held()
    while ((await pending(here)) > 0) {
      here.clock.advance(50_000)
      await runDue()
    }
    const found = await Promise.all(
      ids.map(async (id) => {
        const { state, attempts } = await rowOf(here, id)
        const tries = await listAttempts(here.ctx.db, here.account.id, id)
        expect(tries).toHaveLength(attempts)
        return [state, attempts, kind.ends.get(id), tries.at(-1)?.error ?? undefined]
      }),
    )
    expect(Object.fromEntries(animals.map(([name], i) => [name, found[i]]))).toEqual(
      Object.fromEntries(
        animals.map(([name, { state, tries, end, error }]) => [name, [state, tries, end, error]]),
      ),
    )
    const open = async () => (await Promise.all(cages.map((one) => one.connections()))).filter((n) => n > 0)
    await expect.poll(open).toEqual([])
    expect(held() - before).toBeLessThan(32 << 20)
  })

  test('that hang delay nobody else: one endpoint in ten, with more deliveries than all the others', async () => {
    const here = await world()
    const hanging = await Promise.all(Array.from({ length: 3 }, () => startReceiver({ behave: () => {} })))
    const well = await Promise.all(Array.from({ length: 27 }, () => answering()))
    const queueFor = (urls: string[], each: number) =>
      queue(
        here,
        urls.flatMap((url) =>
          Array.from({ length: each }, (_, n) => ({ url, circuit: url, ordering_key: `${url} ${n % 5}` })),
        ),
      )
    await queueFor(
      hanging.map(({ url }) => url),
      100,
    )
    await queueFor(
      well.map(({ url }) => url),
      10,
    )
    const kind = ends()
    const { deliveries } = worker(here.ctx, kind)
    const started = performance.now()
    deliveries.start()
    await expect.poll(() => kind.ends.size, { interval: 20 }).toBe(270)
    // An attempt that hangs ends after 5 s, so none has ended unless this machine is slow.
    const rounds = Math.floor((performance.now() - started) / 5000)
    const given_up = await here.ctx.db
      .selectFrom('delivery_attempts')
      .select('delivery_id')
      .where('status', 'is', null)
      .execute()
    expect(given_up.length).toBeLessThanOrEqual(3 * 4 * rounds)
    for (const open of await Promise.all(hanging.map((one) => one.connections())))
      expect(open).toBeLessThanOrEqual(4)
    await here.ctx.outbound.close()
  })
})
