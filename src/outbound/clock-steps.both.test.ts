import { expect, test } from 'vitest'
import { type Answer, answering, queue, rowOf, stateOf, worker } from '../../test/fixtures/deliveries.ts'
import { type World, world } from '../../test/world.ts'
import { OPENING } from './circuit-queries.ts'

const HOURS = 2 * 3_600

/** A receiver that fails a number of times, and works from then on. */
const failing = (times: number) => (n: number) => (n <= times ? 500 : 200)

async function receiving(answer: (n: number) => Answer = failing(0)) {
  const here = await world()
  const { url, hits } = await answering((_hit, n) => answer(n))
  const { runDue } = worker(here.ctx)
  await runDue()
  const put = (seconds: number) => here.clock.set(here.clock.now() + seconds)
  return { here, url, hits, runDue, put }
}

const circuitOf = ({ ctx }: World) => ctx.db.selectFrom('circuits').selectAll().executeTakeFirstOrThrow()

test('a delivery that failed while the clock was ahead is attempted again when it is set back', async () => {
  const { here, url, runDue, put } = await receiving(failing(1))
  put(HOURS)
  const [id = 0] = await queue(here, [{ url }])
  await runDue()
  expect(await stateOf(here, id)).toBe('ready')
  put(-HOURS)
  await runDue()
  expect(await stateOf(here, id)).toBe('delivered')
})

test('a delivery that was queued while the clock was ahead, and its follower, are sent', async () => {
  const { here, url, hits, runDue, put } = await receiving()
  put(HOURS)
  await queue(here, [
    { url: `${url}/1`, ordering_key: 'a' },
    { url: `${url}/2`, ordering_key: 'a' },
  ])
  put(-HOURS)
  await runDue()
  expect(hits.map(({ path }) => path)).toEqual(['/1', '/2'])
})

test('a delivery that waits no longer than its schedule allows continues to wait', async () => {
  const { here, url, hits, runDue, put } = await receiving(failing(3))
  const [id = 0] = await queue(here, [{ url }])
  for (let tries = 0; tries < 3; tries++) {
    await runDue()
    here.clock.set((await rowOf(here, id)).next_attempt_at)
  }
  expect(hits).toHaveLength(3)
  // The third failure was two minutes ago; no plan has a longer delay than 15 minutes.
  put(-120)
  await runDue()
  expect(hits).toHaveLength(3)
  put(-900)
  await runDue()
  expect(hits).toHaveLength(4)
})

test('the lease of a dead process ends a minute after the clock was set back', async () => {
  const { here, url, hits, runDue, put } = await receiving()
  const [id = 0] = await queue(here, [{ url }])
  const until = here.clock.now() + HOURS + 60
  await here.ctx.db
    .transaction()
    .execute((tx) =>
      tx
        .updateTable('deliveries')
        .set({ state: 'in_flight', leased_until: until, next_attempt_at: until })
        .where('id', '=', id)
        .execute(),
    )
  put(HOURS)
  await runDue()
  put(-HOURS)
  await runDue()
  expect([hits.length, (await rowOf(here, id)).leased_until]).toEqual([0, until])
  here.clock.advance(60)
  await runDue()
  expect([hits.length, await stateOf(here, id)]).toEqual([1, 'delivered'])
})

test('a circuit that opened while the clock was ahead is probed when it is set back', async () => {
  let isDown = true
  const { here, url, runDue, put } = await receiving(() => (isDown ? 500 : 200))
  put(HOURS)
  const all = await queue(
    here,
    Array.from({ length: 2 * OPENING }, () => ({ url, circuit: 'shop' })),
  )
  await runDue()
  const { failures, due_at } = await circuitOf(here)
  expect(failures).toBe(OPENING)
  expect(due_at).toBeGreaterThan(here.clock.now())
  put(-HOURS)
  isDown = false
  await runDue()
  expect((await circuitOf(here)).failures).toBe(0)
  expect(await Promise.all(all.map((id) => stateOf(here, id)))).toEqual(all.map(() => 'delivered'))
})

test('an endpoint that fails before and after the clock is set back has failed since then', async () => {
  const { here, url, runDue, put } = await receiving(failing(2))
  put(HOURS)
  await queue(here, [{ url, circuit: 'shop' }])
  await runDue()
  put(-HOURS)
  await runDue()
  expect(await circuitOf(here)).toMatchObject({ failures: 2, failing_since: here.clock.now() })
})

test('a worker that starts finds deliveries that were stored before the clock was set back', async () => {
  const { here, url, runDue, put } = await receiving(failing(1))
  put(HOURS)
  const [id = 0] = await queue(here, [{ url }])
  await runDue()
  put(-HOURS)
  await worker(here.ctx).runDue()
  expect(await stateOf(here, id)).toBe('delivered')
})
